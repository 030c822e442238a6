// A text file: its lines to read, to find something in, and to pick for the prompt.
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import type { VirtualizerHandle } from "virtua/solid";
import type { Span } from "../diff/words";
import type { Place } from "../host/host";
import { useRoom } from "../state/room";
import { sayFault } from "../text/visible";
import { Finder } from "./finder";
import { LineList } from "./line_list";
import { findMatches, type Match } from "./matches";
import {
  fromSelection,
  isPicked,
  mentionOf,
  movePick,
  type Picked,
  pick,
  pickedText,
  placeOf,
  toSelection,
  withMention,
} from "./picked";
import type { Found, Reading } from "./reading";
import { t } from "./texts";

const READ_AHEAD = 2_000; // lines below what is seen
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
const NO_MARKS: readonly Span[] = [];

interface FileViewProps {
  session: string;
  place: Place;
  reading: Reading;
  found: Extract<Found, { kind: "text" }>;
  /// It is in the prompt now.
  onMentioned: () => void;
}

export function FileView(props: FileViewProps) {
  const room = useRoom();
  const lines = () => props.reading.lines();
  const [handle, setHandle] = createSignal<VirtualizerHandle>();
  const [picked, setPicked] = createSignal(fromSelection(props.place.path, room.selection()));
  const [query, setQuery] = createSignal<string>();
  const [at, setAt] = createSignal(0);
  const matches = createMemo(() => findMatches(lines(), query() ?? ""));

  /// Only a pick changes what `@selection` means; to look at another file does not.
  const choose = (next: Picked | undefined) => {
    setPicked(next);
    room.select(next && toSelection(props.place.path, lines(), next));
  };
  void props.reading.until(READ_AHEAD);
  const show = (line: number) => handle()?.scrollToIndex(line, { align: "center" });
  const goTo = async (line: number) => {
    await props.reading.until(line + READ_AHEAD);
    show(Math.min(Math.max(0, line - 1), lines().length - 1));
  };
  createEffect(on([() => props.place.line, handle], ([line, there]) => line && there && void goTo(line)));
  createEffect(on(query, (text) => text && void props.reading.until(Number.POSITIVE_INFINITY)));
  createEffect(on([query, at], () => showMatch(matches()[at()], show)));

  const onScroll = (offset: number) => {
    const last = handle()?.findItemIndex(offset) ?? 0;
    void props.reading.until(last + READ_AHEAD);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === "f" && (event.ctrlKey || event.metaKey)) setQuery((now) => now ?? "");
    else if (event.key === "/" && event.target === event.currentTarget) setQuery((now) => now ?? "");
    else if (event.key === "Escape" && picked()) choose(undefined);
    else if (step && !event.ctrlKey && !event.metaKey) {
      const next = movePick(picked(), step, event.shiftKey, lines().length);
      choose(next);
      handle()?.scrollToIndex(next.head, { align: "nearest" });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const mention = () => {
    const chosen = picked();
    const what = chosen ? "@selection" : mentionOf(props.place.path);
    room.setDraft(props.session, { text: withMention(room.draft(props.session).text, what) });
    room.toast("info", t("mentioned", { what: chosen ? placeOf(props.place.path, chosen) : what }));
    props.onMentioned();
  };
  let root!: HTMLDivElement;
  const stopFinding = () => {
    setQuery(undefined);
    root.querySelector<HTMLElement>(".files-scroll")?.focus({ preventScroll: true });
  };
  const copy = async () => {
    const chosen = picked() ?? { anchor: 0, head: lines().length - 1 };
    try {
      await room.host.copy(pickedText(lines(), chosen));
      room.toast("info", t("copied"));
    } catch (fault) {
      room.toast("error", t("notCopied", { why: sayFault(fault) }));
    }
  };
  const marks = (line: number): readonly Span[] => {
    const column = props.place.line === line + 1 ? props.place.column : undefined;
    const found = marksOf(matches(), line);
    return column ? [{ start: column - 1, end: column }, ...found] : found;
  };

  return (
    <div ref={root} class="files-view">
      <div class="files-tools">
        <span class="files-dim" aria-live="polite">
          {describe(props.found, lines().length, picked(), props.place.path)}
        </span>
        <span class="files-space" />
        <GoTo onGo={(line) => void goTo(line)} />
        <button type="button" onClick={() => setQuery((now) => now ?? "")}>
          {t("find")}
        </button>
        <button type="button" onClick={() => void copy()}>
          {t("copy")}
        </button>
        <Show when={picked() || !/\s/.test(props.place.path)}>
          <button type="button" class="primary" onClick={mention}>
            {t(picked() ? "mentionPicked" : "mentionFile")}
          </button>
        </Show>
      </div>
      <Show when={query() !== undefined}>
        <Finder
          query={query() ?? ""}
          count={matches().length}
          at={at()}
          onQuery={(text) => {
            setAt(0);
            setQuery(text);
          }}
          onAt={setAt}
          onClose={stopFinding}
        />
      </Show>
      <Show when={lines().length > 0} fallback={<p class="files-note">{t("empty")}</p>}>
        <p class="files-hint files-dim">{t("pickHint")}</p>
        <LineList
          path={props.place.path}
          lines={lines()}
          ref={setHandle}
          onScroll={onScroll}
          marks={(line) => marks(line)}
          isPicked={(line) => isPicked(picked(), line) || (!picked() && props.place.line === line + 1)}
          onPick={(line, extends_) => choose(pick(picked(), line, extends_))}
          onKeyDown={onKey}
        />
      </Show>
      <Show when={props.found.isCut}>
        <p class="files-note">{t("tooLarge", { lines: lines().length.toLocaleString() })}</p>
      </Show>
    </div>
  );
}

function GoTo(props: { onGo: (line: number) => void }) {
  const [line, setLine] = createSignal("");
  return (
    <form
      class="files-goto"
      onSubmit={(event) => {
        event.preventDefault();
        if (Number(line()) > 0) props.onGo(Number(line()));
      }}
    >
      <input
        type="number"
        min="1"
        aria-label={t("goTo")}
        placeholder={t("goTo")}
        value={line()}
        onInput={(event) => setLine(event.currentTarget.value)}
      />
    </form>
  );
}

function showMatch(match: Match | undefined, show: (line: number) => void): void {
  if (match) show(match.line);
}

function marksOf(matches: readonly Match[], line: number): readonly Span[] {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  if (matches[low]?.line !== line) return NO_MARKS;
  let end = low;
  while (matches[end]?.line === line) end += 1;
  return matches.slice(low, end);
}

function describe(
  found: FileViewProps["found"],
  count: number,
  picked: Picked | undefined,
  path: string,
): string {
  if (picked) return t("picked", { place: placeOf(path, picked) });
  const lines = t(found.isWhole ? "lines" : "more", { n: count.toLocaleString() });
  return found.crlf ? `${lines} · CRLF` : lines;
}
