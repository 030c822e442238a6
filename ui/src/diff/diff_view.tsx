// A diff of any size: side by side or unified, one flat virtual list of rows.
import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount, Show } from "solid-js";
import type { VirtualizerHandle } from "virtua/solid";
import type { FileEdit } from "../model.gen";
import { useRoom } from "../state/room";
import { Plain } from "../text/plain";
import { visible } from "../text/visible";
import { createCursor } from "./cursor";
import { FileList } from "./file_list";
import { fromEdit } from "./read/hunks";
import { type DiffFile, type ParsedDiff, parseDiff, parseEdit } from "./read/parse";
import { MAX_WHOLE } from "./rows/line_row";
import { Painter } from "./rows/painter";
import { RowList } from "./rows/row_list";
import { type DiffLayout, type DiffRow, lineOf, Rows } from "./rows/rows";
import { isSameChange } from "./same_change";
import { t } from "./texts";
import { Toolbar } from "./toolbar";
import type { ChosenHunks, DiffChoices, HeadAction, LineAt, LineMarks } from "./view";
import "../text/text.css";
import "./diff.css";

const NARROW = 760; // pixels: below, two sides have no room

export interface DiffViewProps {
  unified?: string;
  files?: readonly FileEdit[] | undefined;
  parsed?: readonly DiffFile[];
  layout?: DiffLayout;
  /// Inside of a block: no list of files, a limited height.
  compact?: boolean;
  /// What scrolls around it, where it must not scroll by itself.
  scroller?: () => HTMLElement | undefined;
  /// In a question: no line is cut, and one that is too long to draw takes the yes away.
  whole?: boolean;
  /// Whose workspace the files are in; with it they can be opened.
  session?: string;
  choice?: ChosenHunks;
  marks?: LineMarks;
  action?: HeadAction | undefined;
  onComment?: (at: LineAt) => void;
  /// What is shown under a line: its comments.
  below?: (at: LineAt) => JSX.Element;
}

export function DiffView(props: DiffViewProps) {
  const room = useRoom();
  const unified = createMemo(() => props.unified ?? ""); // an identical update keeps its rows
  const files = createMemo(() => props.files, undefined, { equals: isSameChange });
  const parsed = createMemo(() => parse(props.parsed, files(), unified));
  const [width, setWidth] = createSignal(NARROW);
  const [showsFiles, setShowsFiles] = createSignal(true);
  const wished = () =>
    props.layout ?? asLayout(room.wish("diff.layout")) ?? (props.compact ? "unified" : "split");
  const layout = (): DiffLayout => (width() < NARROW ? "unified" : wished());
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(new Set());
  const made = new Rows();
  const isLone = () => props.compact === true && parsed().files.length === 1; // the block has named it already
  const rows = createMemo(() => {
    const list = made.list(parsed().files, layout(), (file) => closed().has(file.path));
    return isLone() ? list.slice(1) : list;
  });
  const view: DiffChoices = {
    painter: new Painter(),
    isWhole: props.whole === true,
    choice: () => props.choice,
    marks: () => props.marks,
    action: () => props.action,
    onComment: () => props.onComment,
    below: () => props.below,
    open: () => (props.session === undefined ? undefined : open),
    isClosed: (file) => closed().has(file.path),
    setClosed: (file, close) => setClosed((now) => withPath(now, file.path, close)),
  };
  const open = (file: DiffFile, line?: number) =>
    room.openFile(props.session ?? "", { path: file.path, line: line ?? firstLine(file) });

  let root!: HTMLDivElement;
  const [handle, setHandle] = createSignal<VirtualizerHandle>();
  const [top, setTop] = createSignal(0);
  const scroll = (index: number, align: "start" | "center" | "nearest") =>
    handle()?.scrollToIndex(index, { align });
  const cursor = createCursor(rows, view, top, scroll);
  const current = () => rows()[top()]?.file;
  onMount(() => onCleanup(watchWidth(root, setWidth)));
  keepPlace(layout, rows, [cursor, { at: top, put: (index) => scroll(index, "start") }]);

  const goTo = (file: DiffFile) => {
    const index = rows().findIndex((row) => row.kind === "file" && row.file === file);
    cursor.put(index);
    scroll(index, "start");
  };

  return (
    <div ref={root} class="diff" classList={{ "diff-compact": props.compact }}>
      <Show when={!props.compact}>
        <Toolbar
          files={parsed().files}
          layout={layout()}
          mayLayout={props.layout === undefined && width() >= NARROW}
          showsFiles={showsFiles()}
          keys={[
            t("keys"),
            props.choice && t("keysChoose"),
            props.action && `${props.action.key} ${props.action.label}`,
            props.onComment && t("keysComment"),
          ]}
          onLayout={(next) => room.setWish("diff.layout", next)}
          onShowFiles={setShowsFiles}
          onStep={(step) => cursor.run(step > 0 ? "nextChange" : "previousChange")}
          isFolded={parsed().files.every((file) => closed().has(file.path))}
          onFoldAll={(fold) => setClosed(new Set(fold ? parsed().files.map((file) => file.path) : []))}
        />
      </Show>
      <Show when={parsed().files.length > 0} fallback={<Unparsed text={unified()} />}>
        <div class="diff-both">
          <Show when={!props.compact && showsFiles() && width() >= NARROW && parsed().files.length > 1}>
            <FileList files={parsed().files} current={current()} onPick={goTo} />
          </Show>
          <RowList
            rows={rows()}
            view={view}
            cursor={cursor}
            takesFocus={!props.compact}
            scroller={props.scroller?.()}
            onHandle={setHandle}
            onScroll={(y) => setTop(handle()?.findItemIndex(y) ?? 0)}
          />
        </div>
        <Show when={parsed().left > 0}>
          <p class="diff-note">{t("left", { n: parsed().left.toLocaleString() })}</p>
        </Show>
        <Show when={props.whole && (parsed().left > 0 || hasEndlessLine(parsed().files))}>
          <p class="diff-note" data-unread>
            {t("endless")}
          </p>
        </Show>
      </Show>
      <div class="unseen" aria-live="polite">
        {spoken(rows()[cursor.at()])}
      </div>
    </div>
  );
}

function Unparsed(props: { text: string }) {
  return (
    <Show when={props.text.trim()} fallback={<p class="diff-note">{t("empty")}</p>}>
      <div class="diff-plain">
        <Plain text={props.text} />
      </div>
    </Show>
  );
}

function parse(
  parsed: readonly DiffFile[] | undefined,
  files: readonly FileEdit[] | undefined,
  unified: () => string,
): ParsedDiff {
  if (parsed) return { files: parsed, left: 0 };
  if (files) return { files: files.map((edit) => fromEdit(edit) ?? parseEdit(edit)), left: 0 };
  return parseDiff(unified());
}

function hasEndlessLine(files: readonly DiffFile[]): boolean {
  return files.some(({ hunks }) =>
    hunks.some(({ lines }) => lines.some(({ text }) => text.length > MAX_WHOLE)),
  );
}

function asLayout(wish: string | undefined): DiffLayout | undefined {
  return wish === "split" || wish === "unified" ? wish : undefined;
}

function withPath(now: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(now);
  if (isIn) next.add(path);
  else next.delete(path);
  return next;
}

function firstLine(file: DiffFile): number | undefined {
  const lines = file.hunks[0]?.lines;
  return (lines?.find((line) => line.sign === "+") ?? lines?.[0])?.after || undefined;
}

/// A dialog that is about to open has none yet: nothing is laid out for that.
function watchWidth(element: HTMLElement, tell: (width: number) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (entry && entry.contentRect.width > 0) tell(entry.contentRect.width);
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/// What was at the top, and what keys act on, stay the same when the other layout is chosen. What has not moved is
/// left alone: the list pulls to its goal for a while, and would take a reader back who has begun to scroll.
function keepPlace(
  layout: () => DiffLayout,
  rows: () => readonly DiffRow[],
  places: readonly { at: () => number; put: (index: number) => void }[],
) {
  let before: (DiffRow | undefined)[] = [];
  createEffect(() => {
    before = places.map((place) => rows()[place.at()]);
  });
  createEffect(
    on(
      layout,
      () => {
        const were = before;
        for (const [i, place] of places.entries()) {
          const was = were[i];
          const index = was ? rows().findIndex((row) => row === was || isSamePlace(row, was)) : -1;
          if (index >= 0 && index !== place.at()) queueMicrotask(() => place.put(index));
        }
      },
      { defer: true },
    ),
  );
}

function isSamePlace(one: DiffRow, other: DiffRow): boolean {
  if (one.file !== other.file) return false;
  if (one.kind === "hunk" && other.kind === "hunk") return one.hunk === other.hunk;
  const line = lineOf(one);
  return line !== undefined && line === lineOf(other);
}

const SIGNS = { "+": "added", "-": "removed", " ": "same" } as const;
const MAX_SPOKEN = 200; // characters

function spoken(row: DiffRow | undefined): string {
  const line = lineOf(row);
  if (!row) return "";
  if (!line) return row.kind === "hunk" ? row.hunk.head.slice(0, MAX_SPOKEN) : visible(row.file.path);
  return t("atRow", {
    sign: t(SIGNS[line.sign]),
    line: line.after || line.before,
    text: line.text.slice(0, MAX_SPOKEN),
  });
}
