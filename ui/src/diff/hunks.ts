// Hunks that the daemon made: they come as data, so there is nothing to parse.
import type { FileEdit, PreparedFile, ShownHunk } from "../model.gen";
import { type DiffFile, type DiffHunk, type DiffLine, MAX_LINES, makeFile, type Sign } from "./parse";

export function toHunk(shown: ShownHunk): DiffHunk {
  const unended = new Set(shown.unended ?? []);
  let before = shown.old_start;
  let after = shown.new_start;
  const lines = shown.lines.map((line, index): DiffLine => {
    const sign = signOf(line);
    return {
      sign,
      text: line.slice(1),
      before: sign === "+" ? 0 : before++,
      after: sign === "-" ? 0 : after++,
      index,
      bare: unended.has(index),
    };
  });
  return { number: shown.number, head: headOf(shown), lines };
}

/// What is not shown whole cannot be chosen: a yes must not rest on what was not seen.
export function toPreparedFiles(prepared: readonly PreparedFile[]): DiffFile[] {
  let left = MAX_LINES;
  const shown = prepared.findIndex((file) => {
    left -= (file.hunks ?? []).reduce((sum, hunk) => sum + hunk.lines.length, 0);
    return left < 0;
  });
  return (shown < 0 ? prepared : prepared.slice(0, shown)).map(toPreparedFile);
}

function toPreparedFile(prepared: PreparedFile): DiffFile {
  const { path, kind, additions, deletions } = prepared;
  const hunks = (prepared.hunks ?? []).map(toHunk);
  const source = prepared.source ?? "";
  return { ...makeFile(path), kind, source, modeAfter: prepared.mode ?? "", additions, deletions, hunks };
}

/// Undefined where an agent wrote it: that is text.
export function fromEdit(edit: FileEdit): DiffFile | undefined {
  if (!edit.hunks || edit.hunks.length === 0) return undefined;
  const kind = edit.moved_to ? (edit.change === "add" ? "copy" : "rename") : edit.change;
  return {
    ...makeFile(edit.moved_to ?? edit.path),
    source: edit.moved_to ? edit.path : "",
    kind,
    additions: edit.additions ?? 0,
    deletions: edit.deletions ?? 0,
    hunks: edit.hunks.map(toHunk),
  };
}

function signOf(line: string): Sign {
  const sign = line[0];
  return sign === "+" || sign === "-" ? sign : " ";
}

function headOf({ old_start, old_count, new_start, new_count }: ShownHunk): string {
  const span = (start: number, count: number) => (count === 1 ? String(start) : `${start},${count}`);
  return `@@ -${span(old_start, old_count)} +${span(new_start, new_count)} @@`;
}
