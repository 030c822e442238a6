// A run's review as the diff view shows it.
import { toHunk } from "../diff/hunks";
import { type DiffFile, makeFile } from "../diff/parse";
import type { ReviewedFile } from "../model.gen";
import type { Unit } from "./choosing";

export function toDiffFile(reviewed: ReviewedFile): DiffFile {
  const file = makeFile(reviewed.moved_to || reviewed.path);
  file.source = reviewed.moved_to ? reviewed.path : "";
  file.kind = reviewed.kind;
  file.additions = reviewed.additions;
  file.deletions = reviewed.deletions;
  file.hunks.push(...(reviewed.hunks ?? []).map(toHunk));
  return file;
}

/// What of a run can be taken back: the hunks that are still there.
export function reviewUnit(reviewed: ReviewedFile): Unit {
  const hunks = reviewed.hunks ?? [];
  const there = hunks.filter((hunk) => hunk.there !== false && !hunk.why);
  return {
    path: reviewed.path,
    hunks: there.map((hunk) => hunk.number),
    isPartial: there.length < hunks.length,
  };
}

export function previewUnits(files: readonly DiffFile[]): Unit[] {
  return files.map((file) => ({
    path: file.path,
    hunks: file.hunks.map((hunk) => hunk.number),
    isPartial: false,
  }));
}
