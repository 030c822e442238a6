// How long something took, for a person.
import { t } from "./texts";

export function sayDuration(ms: number): string {
  if (ms < 1) return `<${t("ms", { n: 1 })}`; // "0 ms" reads like a fault
  if (ms < 1_000) return t("ms", { n: Math.round(ms) });
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return t("s", { n: (tenths / 10).toFixed(1) });
  const seconds = Math.round(ms / 1_000);
  return t("min", { n: Math.floor(seconds / 60), s: seconds % 60 });
}
