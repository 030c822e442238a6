// Comments on lines of a review, kept as a draft until they are sent.
import type { LineAt } from "../../diff/view";
import { MAX_COMMENT, MAX_COMMENTS } from "../../limits.gen";
import type { LineComment } from "../../model.gen";

const MAX_QUOTE = 400;
const MAX_DRAFTS = 20; // reviews whose comments are remembered; the oldest go first

export type Comments = readonly LineComment[];

/// A new, empty comment on a line; a deleted one is of the file before. None where the line has no number.
export function commentAt({ file, line }: LineAt): LineComment | undefined {
  const isBefore = line.sign === "-";
  const number = isBefore ? line.before : line.after;
  if (number === 0) return undefined;
  const path = isBefore && file.source ? file.source : file.path;
  return {
    path,
    line: number,
    side: isBefore ? "before" : "after",
    text: "",
    quote: line.text.slice(0, MAX_QUOTE),
  };
}

export function isSamePlace(one: LineComment, other: LineComment): boolean {
  return one.path === other.path && one.line === other.line && sideOf(one) === sideOf(other);
}

export function sideOf(comment: LineComment): "before" | "after" {
  return comment.side ?? "after";
}

export function find(comments: Comments, place: LineComment | undefined): LineComment | undefined {
  return place && comments.find((one) => isSamePlace(one, place));
}

/// One comment per line: a new one replaces the old.
export function put(comments: Comments, comment: LineComment): Comments {
  const cut = { ...comment, text: comment.text.slice(0, MAX_COMMENT) };
  if (find(comments, comment)) return comments.map((one) => (isSamePlace(one, comment) ? cut : one));
  return comments.length < MAX_COMMENTS ? [...comments, cut] : comments;
}

export function remove(comments: Comments, comment: LineComment): Comments {
  return comments.filter((one) => !isSamePlace(one, comment));
}

/// What would be sent, in the order of the files and lines.
export function written(comments: Comments): LineComment[] {
  return comments
    .filter((one) => one.text.trim() !== "")
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

export interface ReviewDraft {
  readonly text: string; // said before the comments
  readonly comments: Comments;
}

export const NO_DRAFT: ReviewDraft = { text: "", comments: [] };

type KeptDrafts = [string, ReviewDraft][];

/// From what was stored, which may be anything.
export function loadDraft(stored: string | undefined, key: string): ReviewDraft {
  return parseKept(stored).find(([name]) => name === key)?.[1] ?? NO_DRAFT;
}

/// To be stored: this draft last, and none that is empty.
export function saveDraft(stored: string | undefined, key: string, draft: ReviewDraft): string {
  const others = parseKept(stored).filter(([name]) => name !== key);
  const isEmpty = draft.text === "" && draft.comments.length === 0;
  return JSON.stringify((isEmpty ? others : [...others, [key, draft]]).slice(-MAX_DRAFTS));
}

function parseKept(stored: string | undefined): KeptDrafts {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is KeptDrafts[number] {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  const draft = value[1] as Partial<ReviewDraft> | null | undefined;
  return typeof draft?.text === "string" && Array.isArray(draft.comments) && draft.comments.every(isComment);
}

function isComment(value: unknown): value is LineComment {
  const one = value as Partial<LineComment> | null;
  return typeof one?.path === "string" && typeof one.line === "number" && typeof one.text === "string";
}
