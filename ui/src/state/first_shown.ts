// What a page shows first: what its address names, what it showed before, or the folder that it was opened for.
import type { Card } from "../model.gen";

export interface Beginning {
  cards: readonly Card[]; // the latest first
  named: string | undefined; // by the address; "" is the home page
  before: string | undefined; // shown before a reload, or in another window
  arrived: string; // the folder of the link that the page was just opened with; "" without one
  lostDraft?: string | undefined; // the folder of what was shown before, where only its draft is left
}

/// A session, a folder to begin one in, or neither: the home page.
export function findFirst(beginning: Beginning): { session?: string; begin?: string } {
  const { cards, named, before, arrived, lostDraft } = beginning;
  const find = (id: string | undefined) => cards.find((card) => card.session_id === id);
  if (lostDraft && !find(before) && (!arrived || arrived === lostDraft)) return { begin: lostDraft };
  if (named !== undefined) return { session: named }; // the page says so where it is gone
  const again = find(before);
  if (again && !again.hidden && (!arrived || again.workspace === arrived))
    return { session: again.session_id };
  const there = cards.filter((card) => !card.hidden && card.place !== "archived");
  if (arrived) {
    const own = there.find((card) => card.workspace === arrived);
    if (own) return { session: own.session_id };
    const isNew = cards.length > 0 && !cards.some((card) => card.workspace === arrived);
    return isNew ? { begin: arrived } : {}; // the very first page says how it all works
  }
  return before === undefined ? { session: there[0]?.session_id ?? "" } : {};
}
