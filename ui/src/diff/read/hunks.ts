// Hunks that the daemon made: they come as data, so there is nothing to parse.
import type { FileEdit, HunkSpan, PreparedFile, ShownHunk } from "../../model.gen";
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

/// Undefined where the daemon could not read it as a diff, or an older one stored it: that is text.
export function fromEdit(edit: FileEdit): DiffFile | undefined {
  const hunks = edit.hunks?.length ? edit.hunks.map(toHunk) : fromSpans(edit);
  if (hunks.length === 0) return undefined;
  const kind = edit.moved_to ? (edit.change === "add" ? "copy" : "rename") : edit.change;
  return {
    ...makeFile(edit.moved_to ?? edit.path),
    source: edit.moved_to ? edit.path : "",
    kind,
    additions: edit.additions ?? 0,
    deletions: edit.deletions ?? 0,
    hunks,
  };
}

/// The lines of the text where the daemon found each hunk; of a text that was cut, those that are left.
function fromSpans(edit: FileEdit): DiffHunk[] {
  const spans = edit.spans ?? [];
  const text = (edit.diff ?? "").replace(/\n$/, "");
  const lines = spans.length > 0 ? text.split("\n", MAX_LINES) : [];
  return spans
    .filter((span) => span.first < lines.length)
    .map((span, index) => sliceHunk(lines, span, index + 1));
}

function sliceHunk(lines: readonly string[], span: HunkSpan, number: number): DiffHunk {
  let before = span.old_start;
  let after = span.new_start;
  const made: DiffLine[] = [];
  for (const line of lines.slice(span.first, span.first + span.count)) {
    const last = made.at(-1);
    if (line.startsWith("\\")) {
      if (last) last.bare = true;
      continue;
    }
    const sign = signOf(line);
    made.push({
      sign,
      text: line.slice(1),
      before: sign === "+" ? 0 : before++,
      after: sign === "-" ? 0 : after++,
      index: made.length,
      bare: false,
    });
  }
  return { number, head: (lines[span.first - 1] ?? "").replace(/\r$/, ""), lines: made };
}

function signOf(line: string): Sign {
  const sign = line[0];
  return sign === "+" || sign === "-" ? sign : " ";
}

function headOf({ old_start, old_count, new_start, new_count }: ShownHunk): string {
  const span = (start: number, count: number) => (count === 1 ? String(start) : `${start},${count}`);
  return `@@ -${span(old_start, old_count)} +${span(new_start, new_count)} @@`;
}
