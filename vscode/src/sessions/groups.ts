// Sessions as the tree shows them: by folder, this window's first, and what waits for a person on top.
import { isWaiting } from "../../../ui/src/frame/attention/card_events";
import type { Card } from "../../../ui/src/model.gen";

export interface Group {
  folder: string;
  isOpen: boolean; // a folder of this window
  cards: readonly Card[];
}

export const RANK: Record<Card["status"], number> = {
  waiting_user: 0,
  working: 1,
  unknown: 2,
  completed: 2,
  stopped: 2,
};

/// Deleted and archived sessions are left out, and those that belong to another one.
export function listCards(cards: Iterable<Card>): Card[] {
  return [...cards].filter(isListed).sort(compareCards);
}

function isListed(card: Card): boolean {
  return Boolean(card.workspace && !card.deleted && !card.parent && card.place !== "archived");
}

export function groupCards(cards: Iterable<Card>, folders: readonly string[]): Group[] {
  const byFolder = new Map<string, Card[]>(folders.map((folder) => [folder, []]));
  for (const card of cards) {
    if (!isListed(card)) continue;
    const group = byFolder.get(card.workspace);
    if (group) group.push(card);
    else byFolder.set(card.workspace, [card]);
  }
  const groups = [...byFolder].map(([folder, all]) => ({
    folder,
    isOpen: folders.includes(folder),
    cards: all.sort(compareCards),
  }));
  return groups.filter((group) => group.cards.length > 0).sort(compareGroups);
}

function compareCards(a: Card, b: Card): number {
  const pinned = Number(b.place === "pinned") - Number(a.place === "pinned");
  const rank = RANK[a.status] - RANK[b.status];
  return rank || pinned || latest(b) - latest(a);
}

function compareGroups(a: Group, b: Group): number {
  return Number(b.isOpen) - Number(a.isOpen) || latest(b.cards[0]) - latest(a.cards[0]);
}

function latest(card: Card | undefined): number {
  return card?.updated_at_ms ?? 0;
}

const MAX_LISTED = 100; // of one folder, unless more are busy

/// What a folder's list shows, and how many more there are: a list of thousands is searched, not read.
export function cutCards(cards: readonly Card[]): { shown: readonly Card[]; more: number } {
  const isBusy = (card: Card) => RANK[card.status] < RANK.completed;
  const busy = cards.findLastIndex(isBusy) + 1; // they come first
  const shown = cards.slice(0, Math.max(busy, MAX_LISTED));
  return { shown, more: cards.length - shown.length };
}

export interface Counts {
  waiting: number;
  working: number;
}

export function countCards(cards: Iterable<Card>): Counts {
  let waiting = 0;
  let working = 0;
  for (const card of cards) {
    if (card.deleted) continue;
    if (isWaiting(card)) waiting++;
    else if (card.status === "working") working++;
  }
  return { waiting, working };
}
