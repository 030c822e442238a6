// What the home page lists: sessions that wait, work, or have ended unseen, and the recent ones by project.
// An agent that somebody else started is a card like any other, so it is listed like any other.
import type { Card } from "../model.gen";

const MAX_WORKING = 30;
const MAX_ENDED = 30;
const MAX_PROJECTS = 8;
const MAX_RECENT = 5; // of one project

export interface Project {
  folder: string;
  cards: readonly Card[];
  count: number; // with those that are not listed
}

export interface Entries {
  waiting: readonly Card[];
  working: readonly Card[];
  ended: readonly Card[];
  recent: readonly Project[];
}

/// `cards`: the latest first.
export function sortOut(cards: readonly Card[], isSeen: (card: Card) => boolean): Entries {
  const shown = cards.filter((card) => !card.hidden);
  const waiting = shown.filter(isWaiting);
  const working = shown.filter((card) => !isWaiting(card) && card.status === "working");
  const ended = shown.filter((card) => !isWaiting(card) && isOver(card) && !isSeen(card));
  return {
    waiting: byProject(waiting),
    working: byProject(working.slice(0, MAX_WORKING)),
    ended: byProject(ended.slice(0, MAX_ENDED)),
    recent: projects(shown, new Set([...waiting, ...working, ...ended])),
  };
}

function isWaiting(card: Card): boolean {
  return card.status === "waiting_user" || (card.asks ?? 0) > 0;
}

function isOver(card: Card): boolean {
  return card.status === "completed" || card.status === "stopped";
}

/// Those of one project next to each other; projects and the cards in them stay in their order.
function byProject(cards: readonly Card[]): readonly Card[] {
  return [...group(cards).values()].flat();
}

function projects(cards: readonly Card[], listed: ReadonlySet<Card>): Project[] {
  return [...group(cards)]
    .map(([folder, all]) => {
      const rest = all.filter((card) => !listed.has(card));
      return { folder, cards: rest.slice(0, MAX_RECENT), count: all.length };
    })
    .filter((project) => project.cards.length > 0)
    .slice(0, MAX_PROJECTS);
}

function group(cards: readonly Card[]): Map<string, Card[]> {
  const groups = new Map<string, Card[]>();
  for (const card of cards) {
    const known = groups.get(card.workspace);
    if (known) known.push(card);
    else groups.set(card.workspace, [card]);
  }
  return groups;
}
