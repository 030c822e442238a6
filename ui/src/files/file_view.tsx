// A text file: its lines to read, to find something in, and to pick for the prompt.
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import type { VirtualizerHandle } from "virtua/solid";
import type { Span } from "../diff/rows/words";
import type { Place } from "../host/host";
import { useRoom } from "../state/room";
import { FileTools } from "./file_tools";
import { Finder } from "./finder";
import { LineList } from "./line_list";
import { findMatches, type Match } from "./matches";
import { fromSelection, isPicked, movePick, type Picked, pick, toSelection } from "./picked";
import type { FileReading, FoundFile } from "./reading";
import { t } from "./texts";

const READ_AHEAD = 2_000; // lines below what is seen
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
const NO_MARKS: readonly Span[] = [];

interface FileViewProps {
  session: string;
  place: Place;
  reading: FileReading;
  found: Extract<FoundFile, { kind: "text" }>;
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
  let root!: HTMLDivElement;
  const stopFinding = () => {
    setQuery(undefined);
    root.querySelector<HTMLElement>(".files-scroll")?.focus({ preventScroll: true });
  };
  const marks = (line: number): readonly Span[] => {
    const column = props.place.line === line + 1 ? props.place.column : undefined;
    const found = marksOf(matches(), line);
    return column ? [{ start: column - 1, end: column }, ...found] : found;
  };

  return (
    <div ref={root} class="files-view">
      <FileTools
        session={props.session}
        path={props.place.path}
        found={props.found}
        lines={lines()}
        picked={picked()}
        onGo={(line) => void goTo(line)}
        onFind={() => setQuery((now) => now ?? "")}
        onMentioned={props.onMentioned}
      />
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
