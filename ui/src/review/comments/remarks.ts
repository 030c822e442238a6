// The draft of one review's comments: every change of it is kept over a reload.
import { type Accessor, createMemo } from "solid-js";
import type { LineAt } from "../../diff/view";
import { MAX_COMMENTS } from "../../limits.gen";
import type { LineComment } from "../../model.gen";
import type { Room } from "../../state/room";
import { visible } from "../../text/visible";
import { t } from "../texts";
import { commentAt, find, loadDraft, put, type ReviewDraft, remove, saveDraft, sideOf } from "./comments";

const WISH = "review.comments";

export class Remarks {
  readonly draft: Accessor<ReviewDraft>;

  constructor(
    private readonly room: Room,
    private readonly key: string,
  ) {
    this.draft = createMemo(() => loadDraft(room.wish(WISH), key));
  }

  set(draft: ReviewDraft): void {
    this.room.setWish(WISH, saveDraft(this.room.wish(WISH), this.key, draft));
  }

  find(place: LineComment | undefined): LineComment | undefined {
    return find(this.draft().comments, place);
  }

  put(comment: LineComment): void {
    this.set({ ...this.draft(), comments: put(this.draft().comments, comment) });
  }

  remove(comment: LineComment): void {
    this.set({ ...this.draft(), comments: remove(this.draft().comments, comment) });
  }

  /// Begins a comment, or finds that there are enough.
  begin(at: LineAt): void {
    const place = commentAt(at);
    if (!place || this.find(place)) return;
    if (this.draft().comments.length >= MAX_COMMENTS) this.room.toast("warn", t("full", { n: MAX_COMMENTS }));
    else this.put(place);
  }
}

export function placeOf(comment: LineComment): string {
  const side = sideOf(comment) === "before" ? ` (${t("beforeSide")})` : "";
  return `${visible(comment.path)}:${comment.line}${side}`;
}
