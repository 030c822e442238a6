// What happened to sessions between two looks at their cards, as far as a person is notified of it; pure.
import type { Card } from "../../model.gen";
import { shownStatus } from "../session/shown_status";

export type Reason = "needsYou" | "finished" | "failedNow" | "endedNow";

export interface Event {
  card: Card;
  reason: Reason;
}

export function isWaiting(card: Pick<Card, "status" | "asks">): boolean {
  return card.status === "waiting_user" || (card.asks ?? 0) > 0;
}

/// What happened to a session between two looks; nothing at the first one.
export function findReason(before: Card | undefined, now: Card): Reason | undefined {
  if (isWaiting(now)) {
    const more = (now.asks ?? 0) > (before?.asks ?? 0);
    return !before || !isWaiting(before) || more ? "needsYou" : undefined;
  }
  if (before?.status !== "working" && !(before && isWaiting(before))) return undefined;
  const ended = shownStatus(now.status, now.outcome);
  if (ended === "failed" || ended === "stopped") return "failedNow";
  return ended === "completed" ? "finished" : undefined; // who interrupts or declines knows
}

export function findEvents(before: ReadonlyMap<string, Card>, now: readonly Card[]): Event[] {
  return now.flatMap((card) => {
    const known = before.get(card.session_id);
    const reason = known === card ? undefined : findReason(known, card);
    return reason ? [{ card, reason }] : [];
  });
}
