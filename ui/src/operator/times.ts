// Times on the operator's page: as this browser's person reads them.
import { language } from "../i18n/texts";

const DAY_MS = 86_400_000;

/// The time of day, with the date where it is not within a day.
export function shortTime(text: string, nowMs = Date.now()): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const day = Math.abs(nowMs - at) < DAY_MS ? {} : ({ month: "short", day: "numeric" } as const);
  return new Intl.DateTimeFormat(language(), { ...day, hour: "2-digit", minute: "2-digit" }).format(at);
}

export function shortMoment(text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const parts = {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  } as const;
  return new Intl.DateTimeFormat(language(), parts).format(at);
}

export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
