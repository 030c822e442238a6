// What the session that is shown changed last: whether there may be something, and opening it.
import type { Block } from "../../model.gen";
import type { Room } from "../../state/room";
import { t } from "../session_texts";

/// A command may have changed files that the agent tells nothing of; the review of its run shows them.
export function hasLatestDiff(room: Room): boolean {
  const mirror = room.mirror(room.active());
  if (!mirror) return false;
  return (
    Boolean(mirror.head().diff?.unified) ||
    mirror.outline().some(({ id, kind }) => kind === "command" && hasRun(mirror.block(id)))
  );
}

/// A command that a person allowed, or that needed no yes.
export function hasRun(block: Block | undefined): boolean {
  return block?.kind === "command" && block.status !== "declined";
}

export function openLatestDiff(room: Room): void {
  const head = room.mirror(room.active())?.head();
  if (!head || !hasLatestDiff(room)) return;
  if (!head.diff?.unified) {
    room.show({ kind: "review", session: head.id, run: "" });
    return;
  }
  const title = t("latestDiff", { title: head.title ?? "" });
  room.show({ kind: "diff", title, unified: head.diff.unified, session: head.id });
}
