// Since when a session is as it is: one age for it, wherever it is listed.
import type { Card } from "../../model.gen";
import type { Room } from "../../state/room";

/// One that waits: since it was asked; the others: since they last changed.
export function sinceMs(
  room: Pick<Room, "inbox">,
  card: Pick<Card, "session_id" | "asks" | "updated_at_ms">,
): number {
  const asked = card.asks ? room.inbox().filter((one) => one.session_id === card.session_id) : [];
  const opened = asked.map((one) => one.ask.opened_at_ms ?? 0).filter((at) => at > 0);
  return opened.length > 0 ? Math.min(...opened) : (card.updated_at_ms ?? 0);
}
