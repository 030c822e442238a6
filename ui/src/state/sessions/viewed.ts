// A session of another program that is only looked at: its id is that of its line on the board, marked as such.

import { VIEWED } from "../../limits.gen";
import type { Room } from "../room";

export function viewId(key: string): string {
  return VIEWED + key;
}

export function isViewed(session: string): boolean {
  return session.startsWith(VIEWED);
}

/// The session that is shown, where it is one of ours: "" on Home, and for one of another program.
export function ownSession(room: Pick<Room, "active">): string {
  return isViewed(room.active()) ? "" : room.active();
}

/// The name and the folder of what is shown, also of a session of another program.
export function shownSession(
  room: Pick<Room, "active" | "card" | "name" | "mirror">,
): { name: string; workspace: string } | undefined {
  const id = room.active();
  const card = room.card(id);
  if (card) return { name: room.name(card), workspace: card.workspace };
  const head = isViewed(id) ? room.mirror(id)?.head() : undefined;
  return head && { name: head.title ?? "", workspace: head.workspace };
}
