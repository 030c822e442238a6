// The latest diff of the session that is shown: whether there is one, and opening it.
import type { Room } from "../state/room";
import { t } from "./session_texts";

export function hasLatestDiff(room: Room): boolean {
  return Boolean(room.mirror(room.active())?.head().diff?.unified);
}

export function openLatestDiff(room: Room): void {
  const head = room.mirror(room.active())?.head();
  if (!head?.diff?.unified) return;
  const title = t("latestDiff", { title: head.title ?? "" });
  room.show({ kind: "diff", title, unified: head.diff.unified, session: head.id });
}
