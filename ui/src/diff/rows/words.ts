// Which words of a changed line changed.
import { diffWordsWithSpace } from "diff";

export const MAX_COMPARED = 1_000; // characters of a line; longer ones are only coloured as a whole
const MAX_EDITS = 120; // steps of the search: lines further apart have little in common
const LEAST_COMMON = 0.3; // of the longer line; below it marks would be noise

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Words {
  readonly before: readonly Span[];
  readonly after: readonly Span[];
}

const NONE: Words = { before: [], after: [] };

export function compareWords(before: string, after: string): Words {
  if (before === after || before.length > MAX_COMPARED || after.length > MAX_COMPARED) return NONE;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (!parts) return NONE;
  const spans = { before: [] as Span[], after: [] as Span[] };
  let [atBefore, atAfter, common] = [0, 0, 0];
  for (const [at, part] of parts.entries()) {
    const size = part.value.length;
    const isAlone = !isChange(parts[at - 1]) && !isChange(parts[at + 1]); // nothing takes its place
    const place = (line: string, start: number) => {
      const span = { start, end: start + size };
      return isAlone ? slide(line, span) : span;
    };
    if (part.removed) spans.before.push(place(before, atBefore));
    if (part.added) spans.after.push(place(after, atAfter));
    if (!part.added) atBefore += size;
    if (!part.removed) atAfter += size;
    if (!part.added && !part.removed) common += part.value.trim().length;
  }
  return common < LEAST_COMMON * Math.max(before.trim().length, after.trim().length) ? NONE : spans;
}

function isChange(part: { added: boolean; removed: boolean } | undefined): boolean {
  return part !== undefined && (part.added || part.removed);
}

/// `a, [b, ]c` and `a, b[, c]` say the same: the one that begins where a word does is what a person sees as new.
function slide(line: string, span: Span): Span {
  let { start, end } = span;
  while (start > 0 && !isBlank(line[start - 1]) && line[start - 1] === line[end - 1]) {
    start -= 1;
    end -= 1;
  }
  return start === 0 || isBlank(line[start - 1]) || OPENING.test(line[start - 1] ?? "")
    ? { start, end }
    : span;
}

const OPENING = /[([{<]/; // a word begins after it too

function isBlank(char: string | undefined): boolean {
  return char === undefined || /\s/.test(char);
}
