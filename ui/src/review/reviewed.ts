// A run's review as the diff view shows it.

import type { Unit } from "../diff/choosing";
import { toHunk } from "../diff/read/hunks";
import { type DiffFile, makeFile } from "../diff/read/parse";
import type { ReviewedFile } from "../model.gen";

export function toDiffFile(reviewed: ReviewedFile): DiffFile {
  const file = makeFile(reviewed.moved_to || reviewed.path);
  file.source = reviewed.moved_to ? reviewed.path : "";
  file.kind = reviewed.kind;
  file.additions = reviewed.additions;
  file.deletions = reviewed.deletions;
  file.hunks.push(...(reviewed.hunks ?? []).map(toHunk));
  return file;
}

export function previewUnits(files: readonly DiffFile[]): Unit[] {
  return files.map((file) => ({
    path: file.path,
    hunks: file.hunks.map((hunk) => hunk.number),
    isPartial: false,
  }));
}
