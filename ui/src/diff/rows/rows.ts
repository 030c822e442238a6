// One flat list of rows for a whole diff: what a virtual list needs, side by side or unified.
import type { DiffFile, DiffHunk, DiffLine } from "../read/parse";

export type DiffLayout = "split" | "unified";

export interface FileRow {
  readonly kind: "file";
  readonly file: DiffFile;
}
export interface NoteRow {
  readonly kind: "note";
  readonly file: DiffFile;
}
export interface HunkRow {
  readonly kind: "hunk";
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
}
/// A line over the whole width; `partner` is what it replaces or what replaces it.
export interface LineRow {
  readonly kind: "line";
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
  readonly line: DiffLine;
  readonly partner: DiffLine | undefined;
  readonly starts: boolean; // the first of some changed lines
}
export interface PairRow {
  readonly kind: "pair";
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
  readonly starts: boolean;
}
export type DiffRow = FileRow | NoteRow | HunkRow | LineRow | PairRow;

interface Pair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/// Lines beside each other: what stays on both sides, deleted ones beside what came in their place.
export function pairLines(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  let deleted: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(deleted.length, added.length); i += 1) {
      pairs.push({ left: deleted[i], right: added[i] });
    }
    deleted = [];
    added = [];
  };
  for (const line of lines) {
    if (line.sign === "-" && added.length > 0) flush();
    if (line.sign === "-") deleted.push(line);
    else if (line.sign === "+") added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

export function isChange(pair: Pair): boolean {
  return pair.left !== pair.right;
}

function splitRows(file: DiffFile, hunk: DiffHunk): DiffRow[] {
  let wasChange = false;
  return pairLines(hunk.lines).map((pair) => {
    const starts = isChange(pair) && !wasChange;
    wasChange = isChange(pair);
    return { kind: "pair", file, hunk, ...pair, starts };
  });
}

function unifiedRows(file: DiffFile, hunk: DiffHunk): DiffRow[] {
  const partners = new Map<DiffLine, DiffLine>();
  for (const { left, right } of pairLines(hunk.lines)) {
    if (!left || !right || left === right) continue;
    partners.set(left, right);
    partners.set(right, left);
  }
  return hunk.lines.map((line, i) => ({
    kind: "line",
    file,
    hunk,
    line,
    partner: partners.get(line),
    starts: line.sign !== " " && (i === 0 || hunk.lines[i - 1]?.sign === " "),
  }));
}

const MAKE: Record<DiffLayout, (file: DiffFile, hunk: DiffHunk) => DiffRow[]> = {
  split: splitRows,
  unified: unifiedRows,
};

/// Rows of each file are made once, so that the list keeps its elements when another file is closed.
export class Rows {
  private readonly made = {
    split: new WeakMap<DiffFile, DiffRow[]>(),
    unified: new WeakMap<DiffFile, DiffRow[]>(),
  };
  private readonly heads = new WeakMap<DiffFile, FileRow>();

  list(files: readonly DiffFile[], layout: DiffLayout, isClosed: (file: DiffFile) => boolean): DiffRow[] {
    const rows: DiffRow[] = [];
    for (const file of files) {
      rows.push(this.head(file));
      if (isClosed(file)) continue;
      for (const row of this.body(file, layout)) rows.push(row); // a spread of 500,000 arguments fails
    }
    return rows;
  }

  private head(file: DiffFile): FileRow {
    const known = this.heads.get(file);
    if (known) return known;
    const row: FileRow = { kind: "file", file };
    this.heads.set(file, row);
    return row;
  }

  private body(file: DiffFile, layout: DiffLayout): readonly DiffRow[] {
    const known = this.made[layout].get(file);
    if (known) return known;
    const rows: DiffRow[] = file.hunks.length === 0 ? [{ kind: "note", file }] : [];
    for (const hunk of file.hunks) {
      if (!hasOneSide(file) || file.hunks.length > 1) rows.push({ kind: "hunk", file, hunk });
      for (const row of MAKE[hasOneSide(file) ? "unified" : layout](file, hunk)) rows.push(row);
    }
    this.made[layout].set(file, rows);
    return rows;
  }
}

/// A new or deleted file has nothing to be shown beside it.
function hasOneSide(file: DiffFile): boolean {
  return file.kind === "add" || file.kind === "delete";
}

export type ChangeStep = 1 | -1;

/// The next row that `is` holds for, seen from `from`; undefined at the end.
export function findRow(
  rows: readonly DiffRow[],
  from: number,
  step: ChangeStep,
  is: (row: DiffRow) => boolean,
): number | undefined {
  for (let i = from + step; i >= 0 && i < rows.length; i += step) {
    const row = rows[i];
    if (row && is(row)) return i;
  }
  return undefined;
}

export function startsChange(row: DiffRow): boolean {
  return (row.kind === "line" || row.kind === "pair") && row.starts;
}

/// The line that a comment, or an opened file, is about: the one after, or the deleted one.
export function lineOf(row: DiffRow | undefined): DiffLine | undefined {
  if (row?.kind === "line") return row.line;
  return row?.kind === "pair" ? (row.right ?? row.left) : undefined;
}
