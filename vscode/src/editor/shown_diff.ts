// A prepared diff as two documents for each file, and where its hunks are in them; pure.
import { type Chosen, howMuch, type Unit } from "../../../ui/src/diff/choosing";
import { toHunk } from "../../../ui/src/diff/read/hunks";
import type { DiffHunk } from "../../../ui/src/diff/read/parse";
import type { PreparedFile, ViewedFile } from "../../../ui/src/model.gen";
import type { DiffSide, Side } from "./diff_uri";

export interface ShownHunk {
  number: number; // as the daemon counts
  first: Record<Side, number>; // line of the document, from 1, with the lines around the change
  last: Record<Side, number>;
  changed: Record<Side, readonly number[]>; // lines that only this side has
}

export interface ShownFile {
  unit: Unit;
  path: Record<Side, string>;
  text: Record<Side, string | null>; // null: there is no such file on that side
  hunks: readonly ShownHunk[];
}

export interface ShownDiff {
  diffId: string;
  isReverse: boolean; // the diff reverts what is shown
  files: readonly ShownFile[];
}

export function makeShown(
  diffId: string,
  prepared: readonly PreparedFile[],
  viewed: readonly ViewedFile[],
  isReverse: boolean,
): ShownDiff {
  const files = prepared.map((file) => {
    const texts = viewed.find((one) => one.path === file.path);
    const hunks = (file.hunks ?? []).map(toHunk);
    const rows = { before: rowsOf(texts?.before ?? ""), after: rowsOf(texts?.after ?? "") };
    return {
      unit: { path: file.path, hunks: hunks.map((hunk) => hunk.number), isPartial: false },
      path: turned({ before: file.source || file.path, after: file.path }, isReverse),
      text: turned({ before: texts?.before ?? null, after: texts?.after ?? null }, isReverse),
      hunks: hunks.map((hunk) => makeHunk(hunk, rows, isReverse)),
    };
  });
  return { diffId, isReverse, files };
}

export function findFile({ files }: ShownDiff, { side, path }: DiffSide): ShownFile | undefined {
  return files.find((file) => file.path[side] === path);
}

/// The hunk at a line, else the next one, else the last.
export function findHunk({ hunks }: ShownFile, side: Side, line: number): ShownHunk | undefined {
  return hunks.find((hunk) => line <= hunk.last[side]) ?? hunks.at(-1);
}

/// Lines of a document that a person has left out.
export function linesLeftOut(diff: ShownDiff, chosen: Chosen, of: DiffSide): number[] {
  const at = diff.files.findIndex((file) => file === findFile(diff, of));
  const file = diff.files[at];
  const units = diff.files.map((one) => one.unit);
  if (!file || howMuch(chosen, units, at) === "all") return [];
  return file.hunks
    .filter((hunk) => !chosen[at]?.has(hunk.number))
    .flatMap((hunk) => [...hunk.changed[of.side]]);
}

function makeHunk({ number, lines }: DiffHunk, rows: Record<Side, Rows>, isReverse: boolean): ShownHunk {
  const before = lines.filter((line) => line.sign !== "+").flatMap((line) => rows.before(line.before));
  const after = lines.filter((line) => line.sign !== "-").flatMap((line) => rows.after(line.after));
  const removed = lines.filter((line) => line.sign === "-").flatMap((line) => rows.before(line.before));
  const added = lines.filter((line) => line.sign === "+").flatMap((line) => rows.after(line.after));
  return {
    number,
    first: turned({ before: before[0] ?? 0, after: after[0] ?? 0 }, isReverse),
    last: turned({ before: before.at(-1) ?? 0, after: after.at(-1) ?? 0 }, isReverse),
    changed: turned({ before: removed, after: added }, isReverse),
  };
}

/// The rows of the editor that show a line of a file.
type Rows = (line: number) => number[];

/// An editor begins a row after a carriage return alone, too; a diff's line ends at a line feed.
function rowsOf(text: string): Rows {
  if (!/\r(?!\n)/.test(text)) return (line) => [line];
  const ends: number[] = [0]; // the last row of each line
  for (const line of text.split(/\r?\n/)) ends.push((ends.at(-1) ?? 0) + line.split("\r").length);
  return (line) => {
    const [before, end] = [ends[line - 1], ends[line]];
    if (before === undefined || end === undefined) return [line];
    return Array.from({ length: end - before }, (_, row) => before + 1 + row);
  };
}

function turned<T>({ before, after }: Record<Side, T>, isReverse: boolean): Record<Side, T> {
  return isReverse ? { before: after, after: before } : { before, after };
}
