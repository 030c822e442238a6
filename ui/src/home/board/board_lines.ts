// The lines of the board, kept as the daemon's messages change them; pure.
import { MAX_WATCHED } from "../../limits.gen";
import type { BoardNotify, WatchedSession } from "../../model.gen";

export type KnownLines = ReadonlyMap<string, WatchedSession>;

export function fold(now: KnownLines, sent: BoardNotify): KnownLines {
  const next = new Map(sent.whole ? [] : now);
  for (const key of sent.gone ?? []) next.delete(key);
  for (const one of sent.sessions) next.set(one.key, one);
  if (next.size <= MAX_WATCHED) return next;
  const latest = [...next.values()].sort((a, b) => lastAt(b) - lastAt(a)).slice(0, MAX_WATCHED);
  return new Map(latest.map((one) => [one.key, one]));
}

export function lastAt(one: WatchedSession): number {
  return one.activity_at_ms ?? 0;
}
