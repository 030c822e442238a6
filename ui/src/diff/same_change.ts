// Whether a change that comes again is the one that is shown.
import type { FileEdit } from "../model.gen";

type Edits = readonly FileEdit[] | undefined;

/// A block that is put again with the same diff keeps its rows.
export function isSameChange(before: Edits, now: Edits): boolean {
  if (before === now || !before || !now) return before === now;
  return before.length === now.length && now.every((edit, at) => isSameEdit(before[at], edit));
}

function isSameEdit(before: FileEdit | undefined, now: FileEdit): boolean {
  return (
    before !== undefined &&
    before.path === now.path &&
    before.moved_to === now.moved_to &&
    before.change === now.change &&
    before.diff === now.diff &&
    before.hunks === now.hunks
  );
}
