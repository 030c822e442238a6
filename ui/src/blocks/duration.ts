// How long something took, for a person.
import { t } from "./texts";

export function sayDuration(ms: number): string {
  if (ms < 1_000) return t("ms", { n: Math.round(ms) });
  const seconds = ms / 1_000;
  if (seconds < 60) return t("s", { n: seconds.toFixed(1) });
  return t("min", { n: Math.floor(seconds / 60), s: Math.round(seconds % 60) });
}
