// What is said of the connection, at any moment: pure, for the bar that shows it.
import { never } from "../../never";
import type { Connection } from "../../state/room";
import { t } from "../texts";

/// Nothing of what is shown as going on is known to go on.
export function isAway(now: Connection): boolean {
  return now.state === "lost" || now.state === "connecting";
}

export interface ConnectionReport {
  tone: "quiet" | "warn" | "bad" | "good";
  text: string;
  /// What changes every second; not for a screen reader.
  count: string;
  canRetry: boolean;
}

/// What was before: whether it has been open, and why it was lost; the same is said until it is back.
export interface Past {
  wasOpen: boolean;
  why: string;
}

/// Undefined when all is well.
export function describeConnection(now: Connection, past: Past, nowMs: number): ConnectionReport | undefined {
  switch (now.state) {
    case "open":
      return undefined;
    case "connecting":
      return past.wasOpen || past.why
        ? { tone: "bad", text: sayLost(past.why, past), count: t("trying"), canRetry: false }
        : { tone: "quiet", text: t("connecting"), count: "", canRetry: false };
    case "silent":
      return { tone: "warn", text: t("silent"), count: "", canRetry: false };
    case "lost":
      return {
        tone: "bad",
        text: sayLost(now.why || past.why, past),
        count: t("next", { n: Math.max(0, Math.ceil((now.retryAtMs - nowMs) / 1000)) }),
        canRetry: true,
      };
    default:
      return never(now);
  }
}

/// What was never there is not lost: then the reason says it all.
function sayLost(why: string, { wasOpen }: Past): string {
  if (!why) return t("lostShort");
  return wasOpen ? t("lost", { why }) : why.charAt(0).toUpperCase() + why.slice(1);
}
