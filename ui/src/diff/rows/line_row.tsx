// Rows of code: one line over the whole width, or two beside each other.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { type ColourRun, languageOf } from "../../text/code/colours";
import type { DiffFile, DiffHunk, DiffLine } from "../read/parse";
import { t } from "../texts";
import type { DiffChoices } from "../view";
import { PIECE } from "./painter";
import type { LineRow, PairRow } from "./rows";
import { cutSegments, type Segment } from "./segments";
import { compareWords, type Span } from "./words";

export const MAX_SHOWN = 2_000; // characters of a line, until more is asked for
export const MAX_WHOLE = 100_000; // of one that a yes rests on
const MORE = 20_000;

const LOOK = { " ": "same", "+": "added", "-": "deleted" } as const;
const NO_WORDS: readonly Span[] = [];

interface LinePlace {
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
}

// A row is of one line for as long as it is there, so all but its colours is made once: rows are made by
// the dozen in every frame of a fast scroll.

export function UnifiedRow(props: { row: LineRow; view: DiffChoices }): JSX.Element {
  const { row, view } = props;
  return (
    <>
      <div class={`diff-line diff-${LOOK[row.line.sign]}`}>
        <span class="diff-number">{row.line.before || ""}</span>
        <span class="diff-number">{row.line.after || ""}</span>
        {commentButton(row, row.line, view)}
        <span class="diff-sign">{row.line.sign}</span>
        {code(row, row.line, row.partner, view)}
      </div>
      {view.below()?.({ file: row.file, hunk: row.hunk, line: row.line })}
    </>
  );
}

export function SplitRow(props: { row: PairRow; view: DiffChoices }): JSX.Element {
  const { row, view } = props;
  const { left, right } = row;
  const below = (line: DiffLine) => view.below()?.({ file: row.file, hunk: row.hunk, line });
  return (
    <>
      <div class="diff-pair">
        {half(row, left, "before", view)}
        {half(row, right, "after", view)}
      </div>
      {left && left !== right && below(left)}
      {right && below(right)}
    </>
  );
}

function half(
  row: PairRow,
  line: DiffLine | undefined,
  side: "before" | "after",
  view: DiffChoices,
): JSX.Element {
  if (!line) return <div class="diff-half diff-nothing" />;
  const other = side === "before" ? row.right : row.left;
  const isCommented = side === "after" || line.sign === "-"; // what stays is commented on once
  return (
    <div class={`diff-half diff-${LOOK[line.sign]}`}>
      <span class="diff-number">{line[side] || ""}</span>
      {isCommented ? commentButton(row, line, view) : <span />}
      <span class="diff-sign">{line.sign}</span>
      {code(row, line, other === line ? undefined : other, view)}
    </div>
  );
}

/// Seen under the mouse; a keyboard has `c`, so that a thousand lines are no thousand stops.
function commentButton({ file, hunk }: LinePlace, line: DiffLine, view: DiffChoices): JSX.Element {
  if (!view.onComment()) return <span />;
  const label = t("comment", { line: line.after || line.before });
  return (
    <button
      type="button"
      class="diff-comment"
      tabindex="-1"
      aria-label={label}
      title={label}
      onClick={() => view.onComment()?.({ file, hunk, line })}
    >
      +
    </button>
  );
}

function code(
  place: LinePlace,
  line: DiffLine,
  partner: DiffLine | undefined,
  view: DiffChoices,
): JSX.Element {
  return (
    <span class="diff-code">
      <Cut
        text={line.text}
        runs={findRuns(place, line, view)}
        words={findWords(line, partner)}
        most={view.isWhole ? MAX_WHOLE : MAX_SHOWN}
      />
      {line.bare && <span class="diff-bare">{t("noNewline")}</span>}
    </span>
  );
}

/// A text of any length in its colours; what is too long is shown on demand.
export function Cut(props: {
  text: string;
  runs?: readonly ColourRun[] | undefined;
  words?: readonly Span[];
  most?: number;
}): JSX.Element {
  const [most, setMost] = createSignal(props.most ?? MAX_SHOWN);
  const nodes = createMemo(() => {
    const runs = props.runs ?? [{ text: props.text, look: "" }];
    return cutSegments(runs, props.words ?? NO_WORDS, most()).map(makeNode);
  });
  return (
    <>
      <code>{nodes()}</code>
      <Show when={props.text.length > most()}>
        <button type="button" class="diff-more" onClick={() => setMost((now) => now + MORE)}>
          {t("more", { n: (props.text.length - most()).toLocaleString() })}
        </button>
      </Show>
    </>
  );
}

function makeNode(segment: Segment): Node {
  const { look, word, hidden, apart } = segment;
  if (!look && !word && !hidden && !apart) return document.createTextNode(segment.text);
  const span = document.createElement("span");
  const looks = [look, word && "diff-word", hidden && "diff-hidden", apart && "diff-apart"];
  span.className = looks.filter(Boolean).join(" ");
  span.textContent = segment.text;
  return span;
}

function findRuns(
  { file, hunk }: LinePlace,
  line: DiffLine,
  view: DiffChoices,
): readonly ColourRun[] | undefined {
  const piece = Math.floor(line.index / PIECE);
  const lines = () => hunk.lines.slice(piece * PIECE, (piece + 1) * PIECE);
  return view.painter.find(line, hunk, piece, languageOf(file.path), () => [
    lines().filter((one) => one.sign !== "+"),
    lines().filter((one) => one.sign !== "-"),
  ]);
}

function findWords(line: DiffLine, partner: DiffLine | undefined): readonly Span[] {
  if (!partner) return NO_WORDS;
  return line.sign === "-"
    ? compareWords(line.text, partner.text).before
    : compareWords(partner.text, line.text).after;
}
