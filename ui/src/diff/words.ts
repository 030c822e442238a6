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
  for (const part of parts) {
    const size = part.value.length;
    if (part.removed) spans.before.push({ start: atBefore, end: atBefore + size });
    if (part.added) spans.after.push({ start: atAfter, end: atAfter + size });
    if (!part.added) atBefore += size;
    if (!part.removed) atAfter += size;
    if (!part.added && !part.removed) common += part.value.trim().length;
  }
  return common < LEAST_COMMON * Math.max(before.trim().length, after.trim().length) ? NONE : spans;
}
