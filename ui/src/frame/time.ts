// Times as a person says them: "5 minutes ago", "in 2 hours", "14:20".
import { createSignal } from "solid-js";

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const TICK_MS = 30_000;

/// How long ago, or how soon, in the words of a language.
export function relativeTime(atMs: number, nowMs: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" });
  const seconds = (atMs - nowMs) / 1000;
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  return step ? words.format(Math.trunc(seconds / step[1]), step[0]) : words.format(0, "second");
}

export function fullTime(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(atMs);
}

/// How long something has been going on: "0:48", "1:02:03".
export function sayClock(sinceMs: number | undefined, nowMs: number): string {
  if (sinceMs === undefined) return "";
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
  const two = (count: number) => String(count).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const [now, setNow] = createSignal(Date.now());
let isTicking = false;

/// The current time, updated twice a minute for those who read it.
export function slowNow(): number {
  if (!isTicking) {
    isTicking = true;
    setNow(Date.now()); // the page may have been open for long with nothing to count
    setInterval(() => setNow(Date.now()), TICK_MS);
  }
  return now();
}
