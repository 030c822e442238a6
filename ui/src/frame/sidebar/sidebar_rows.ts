// The rows of the sidebar: pinned sessions, then those of each folder, then archived ones where they are wanted.
import type { Card } from "../../model.gen";

export interface SidebarGroup {
  kind: "pinned" | "folder" | "archived";
  folder: string; // the whole path; "" of the others
  count: number;
}

export type SidebarEntry = SidebarGroup | Card;

export function isGroup(row: SidebarEntry): row is SidebarGroup {
  return "kind" in row;
}

/// Every word must be somewhere in the title, the folder, the status or the id.
export function matches(card: Card, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${card.title}\n${card.workspace}\n${card.status}\n${card.session_id}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function splitWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

export interface WantedRows {
  query: string;
  /// Sessions in which the words were said, as the daemon finds them.
  said?: { has(session: string): boolean };
  /// A search finds archived sessions too.
  showsArchived?: boolean;
}

/// Folders as their latest session comes, the sessions of each in their order. Cards stay the same objects.
export function makeRows(cards: readonly Card[], wanted: WantedRows): SidebarEntry[] {
  const words = splitWords(wanted.query);
  const pinned: Card[] = [];
  const archived: Card[] = [];
  const folders = new Map<string, Card[]>();
  for (const card of cards) {
    if (!matches(card, words) && !wanted.said?.has(card.session_id)) continue;
    if (card.place === "pinned") pinned.push(card);
    else if (card.place === "archived") archived.push(card);
    else
      folders
        .set(card.workspace, folders.get(card.workspace) ?? [])
        .get(card.workspace)
        ?.push(card);
  }
  const showsArchived = wanted.showsArchived || words.length > 0;
  return [
    ...makeGroup("pinned", "", pinned),
    ...[...folders].flatMap(([folder, group]) => makeGroup("folder", folder, group)),
    ...makeGroup("archived", "", showsArchived ? archived : []),
  ];
}

function makeGroup(
  kind: SidebarGroup["kind"],
  folder: string,
  cards: readonly Card[],
): readonly SidebarEntry[] {
  return cards.length > 0 ? [{ kind, folder, count: cards.length }, ...cards] : [];
}

/// For each row, how many sessions there are up to it: what a screen reader counts.
export function countUp(rows: readonly SidebarEntry[]): number[] {
  let count = 0;
  return rows.map((row) => (isGroup(row) ? count : ++count));
}

/// The next session from a place, over the headings; the place itself at an end.
export function stepRow(rows: readonly SidebarEntry[], from: number, by: number): number {
  const step = Math.sign(by);
  let place = from;
  let left = Math.abs(by);
  for (let next = from + step; left > 0 && next >= 0 && next < rows.length; next += step) {
    const row = rows[next];
    if (!row || isGroup(row)) continue;
    place = next;
    left--;
  }
  return place;
}
