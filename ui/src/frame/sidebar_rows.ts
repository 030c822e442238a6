// The rows of the sidebar: sessions under their folders, those that match what is searched.
import type { Card } from "../model.gen";

export interface Folder {
  folder: string; // the whole path
  count: number;
}

export type Row = Folder | Card;

export function isFolder(row: Row): row is Folder {
  return "folder" in row;
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

/// Folders as their latest session comes, the sessions of each in their order. Cards stay the same objects.
export function makeRows(cards: readonly Card[], query: string): Row[] {
  const words = splitWords(query);
  const groups = new Map<string, Card[]>();
  for (const card of cards) {
    if (!matches(card, words)) continue;
    const group = groups.get(card.workspace);
    if (group) group.push(card);
    else groups.set(card.workspace, [card]);
  }
  return [...groups].flatMap(([folder, group]) => [{ folder, count: group.length }, ...group]);
}

/// For each row, how many sessions there are up to it: what a screen reader counts.
export function countUp(rows: readonly Row[]): number[] {
  let count = 0;
  return rows.map((row) => (isFolder(row) ? count : ++count));
}

/// The next session from a place, over the folders; the place itself at an end.
export function stepRow(rows: readonly Row[], from: number, by: number): number {
  const step = Math.sign(by);
  let place = from;
  let left = Math.abs(by);
  for (let next = from + step; left > 0 && next >= 0 && next < rows.length; next += step) {
    const row = rows[next];
    if (!row || isFolder(row)) continue;
    place = next;
    left--;
  }
  return place;
}
