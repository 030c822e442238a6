// A run's review as the diff view shows it.

import type { Unit } from "../diff/choosing";
import { type DiffFile, makeFile, parseHunk } from "../diff/parse";
import type { Prepared, ReviewedFile } from "../model.gen";

export function toDiffFile(reviewed: ReviewedFile): DiffFile {
  const file = makeFile(reviewed.moved_to || reviewed.path);
  file.source = reviewed.moved_to ? reviewed.path : "";
  file.kind = reviewed.kind;
  file.additions = reviewed.additions;
  file.deletions = reviewed.deletions;
  for (const hunk of reviewed.hunks ?? []) file.hunks.push(parseHunk(hunk.text, hunk.number));
  return file;
}

/// The files of a preview are in the order of the plan; names in it may be escaped, the plan's are not.
export function previewUnits(files: readonly DiffFile[], prepared: Pick<Prepared, "files">): Unit[] {
  return files.map((file, at) => ({
    path: prepared.files[at]?.path ?? file.path,
    hunks: file.hunks.map((hunk) => hunk.number),
    isPartial: false,
  }));
}
