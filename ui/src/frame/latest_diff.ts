// What the session that is shown changed last: whether there may be something, and opening it.
import type { Room } from "../state/room";
import { t } from "./session_texts";

/// A command may have changed files that the agent tells nothing of; the review of its run shows them.
export function hasLatestDiff(room: Room): boolean {
  const mirror = room.mirror(room.active());
  if (!mirror) return false;
  return Boolean(mirror.head().diff?.unified) || mirror.outline().some((block) => block.kind === "command");
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
