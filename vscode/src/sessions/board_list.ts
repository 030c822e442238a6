// The board as one list: ours and others', what waits first, then what works, then the latest.
import { type HomeEntry, makeEntries } from "../../../ui/src/home/entries";
import type { Card, WatchedSession } from "../../../ui/src/model.gen";
import { RANK } from "./groups";

const MAX_RESTING = 50;
const NONE: ReadonlySet<string> = new Set();

export function listBoard(cards: Iterable<Card>, watched: Iterable<WatchedSession>): HomeEntry[] {
  const shown = [...cards].filter((card) => card.workspace && !card.parent && card.place !== "archived");
  const entries = [...makeEntries(shown, [...watched], NONE)];
  const isBusy = (entry: HomeEntry) => entry.status === "waiting_user" || entry.status === "working";
  const busy = entries.filter(isBusy).sort((a, b) => RANK[a.status] - RANK[b.status]);
  return [...busy, ...entries.filter((entry) => !isBusy(entry)).slice(0, MAX_RESTING)];
}
