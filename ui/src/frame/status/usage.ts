// Usage in numbers that a person can read: how full the context is, how much of a limit is gone.
import type { Limit, Usage } from "../../model.gen";
import { t } from "./status_texts";

/// 0 to 100; undefined when the window is not known.
export function usedPercent(usage: Usage): number | undefined {
  if (!usage.context_window) return undefined;
  return Math.min(100, Math.max(0, Math.round((usage.context_used / usage.context_window) * 100)));
}

export function shortNumber(count: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

const WEEK = 7 * 24 * 60;

/// A limit is known by its window: "5 h", "week"; else by the agent's own name for it.
export function limitName(limit: Limit): string {
  const minutes = limit.window_minutes ?? 0;
  if (minutes <= 0) return limit.name;
  if (minutes === WEEK) return t("week");
  if (minutes % 1440 === 0) return t("days", { n: minutes / 1440 });
  if (minutes % 60 === 0) return t("hours", { n: minutes / 60 });
  return t("minutes", { n: minutes });
}

export type Fill = "ok" | "warn" | "bad";

export function howFull(percent: number): Fill {
  if (percent >= 95) return "bad";
  return percent >= 80 ? "warn" : "ok";
}
