// Lines that a person picked in a file, and what `@selection` says of them.
import type { UiSelection } from "../model.gen";
import type { FileLine } from "./lines";

export const MAX_SELECTED = 100_000; // characters that travel with a selection

export interface Picked {
  readonly anchor: number; // where picking began, from 0
  readonly head: number; // where it is now
}

/// A click picks one line; with shift, all up to it.
export function pick(now: Picked | undefined, line: number, extends_: boolean): Picked {
  return { anchor: extends_ && now ? now.anchor : line, head: line };
}

export function movePick(now: Picked | undefined, by: number, extends_: boolean, count: number): Picked {
  const line = Math.min(Math.max((now?.head ?? -1) + by, 0), Math.max(0, count - 1));
  return pick(now, line, extends_);
}

export function isPicked(picked: Picked | undefined, line: number): boolean {
  if (!picked) return false;
  return line >= Math.min(picked.anchor, picked.head) && line <= Math.max(picked.anchor, picked.head);
}

export function pickedText(lines: readonly FileLine[], picked: Picked): string {
  const [first, last] = ends(picked);
  return lines
    .slice(first, last + 1)
    .map((line) => line.text)
    .join("\n");
}

/// Lines from 0, the end exclusive: the start of the line after the last.
export function toSelection(path: string, lines: readonly FileLine[], picked: Picked): UiSelection {
  const [first, last] = ends(picked);
  return {
    path,
    range: { start: { line: first, column: 0 }, end: { line: last + 1, column: 0 } },
    selected_text: pickedText(lines, picked).slice(0, MAX_SELECTED),
  };
}

/// What is picked already, when the file is opened again.
export function fromSelection(path: string, selection: UiSelection | undefined): Picked | undefined {
  if (selection?.path !== path) return undefined;
  const { start, end } = selection.range;
  return { anchor: start.line, head: Math.max(start.line, end.column > 0 ? end.line : end.line - 1) };
}

/// `src/a.py#L3-L9`, for a label.
export function placeOf(path: string, picked: Picked): string {
  const [first, last] = ends(picked);
  return first === last ? `${path}#L${first + 1}` : `${path}#L${first + 1}-L${last + 1}`;
}

function ends(picked: Picked): readonly [number, number] {
  return [Math.min(picked.anchor, picked.head), Math.max(picked.anchor, picked.head)];
}

/// A file as a prompt names it: in quotes where a blank would end the name, or an @ begin it.
export function mentionOf(path: string): string {
  return /\s|^@/.test(path) ? `@"${path}"` : `@${path}`;
}

/// The prompt with a mention at its end, once.
export function withMention(text: string, mention: string): string {
  if (` ${text.replace(/\s/g, " ")} `.includes(` ${mention} `)) return text;
  return text === "" || /\s$/.test(text) ? `${text}${mention} ` : `${text} ${mention} `;
}
