// The one word for how a session is, or how its last run ended; pure.
import type { Card } from "../../model.gen";

export type Status = Card["status"];
export type ShownStatus = Status | "failed" | "interrupted" | "declined";

/// How a run ended says more than that it did, also where its agent or the daemon ended with it.
export function shownStatus(status: Status, outcome: Card["outcome"]): ShownStatus {
  const isOver = status === "completed" || status === "stopped" || status === "unknown";
  return isOver && outcome ? outcome : status;
}
