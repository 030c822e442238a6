// What the palette lists: entries that fit, the best first, in groups of a bounded size.
import type { IconName } from "../icons/icon";
import type { Card } from "../model.gen";
import { findTier, fold, type Name, parseSought } from "./rank";

/// In this order where they fit equally well.
export const KINDS = ["sessions", "actions", "session", "commands", "texts", "settings"] as const;
export type EntryKind = (typeof KINDS)[number];

export interface PaletteEntry {
  key: string;
  kind: EntryKind;
  label: string;
  note: string; // beside it
  icon?: IconName;
  card?: Card; // whose dot is shown instead
  isHere?: boolean; // it is shown already
  stroke?: string; // of the keyboard, which does the same
  name: Name;
  run: () => void;
}

export interface EntryGroup {
  kind: EntryKind;
  entries: readonly PaletteEntry[];
  count: number; // with those that are not listed
}

export const LIMITS: Readonly<Record<EntryKind, number>> = {
  sessions: 8,
  actions: 8,
  session: 8,
  commands: 6,
  settings: 6,
  texts: 12,
};
const WORDS = 1.5; // after a name that begins as typed
const [TEXTS, SETTINGS] = [6, 7]; // after every tier of a name
const MAX_RECENT = 5; // sessions that are listed before anything is typed

export function makeName(label: string, also = ""): Name {
  return { label: fold(label), also: fold(also) };
}

/// The group with the best entry first, but conversations before all that is not named exactly as typed, and
/// settings last. Entries that fit equally well stay in their order.
export function groupFitting(
  entries: readonly PaletteEntry[],
  typed: string,
  texts: readonly PaletteEntry[] = [], // that the daemon has found
): EntryGroup[] {
  const sought = parseSought(typed);
  if (!sought.query) return listFirst(entries);
  const tiers = new Map<EntryKind, PaletteEntry[][]>(KINDS.map((kind) => [kind, []]));
  for (const entry of entries) {
    const tier = findTier(entry.name, sought);
    const found = tiers.get(entry.kind);
    if (tier === undefined || !found) continue;
    const same = found[tier];
    if (same) same.push(entry);
    else found[tier] = [entry];
  }
  if (texts.length > 0) tiers.set("texts", [[...texts]]);
  return [...tiers]
    .map(([kind, found]) => ({ kind, best: found.findIndex(Boolean), all: found.flat() }))
    .filter(({ all }) => all.length > 0)
    .sort((a, b) => placeOf(a.kind, a.best) - placeOf(b.kind, b.best))
    .map(({ kind, all }) => ({ kind, entries: all.slice(0, LIMITS[kind]), count: all.length }));
}

/// Texts were found by the daemon, each of them.
function placeOf(kind: EntryKind, best: number): number {
  if (kind === "settings") return SETTINGS;
  if (kind === "texts") return TEXTS;
  return kind === "sessions" && best > 1 && best <= 3 ? WORDS : best;
}

/// Before anything is typed: recent sessions, and what can be done here and with the session that is shown.
function listFirst(entries: readonly PaletteEntry[]): EntryGroup[] {
  const of = (kind: EntryKind) => entries.filter((entry) => entry.kind === kind);
  const sessions = of("sessions")
    .filter((entry) => !entry.isHere)
    .slice(0, MAX_RECENT);
  return [
    { kind: "sessions" as const, entries: sessions, count: sessions.length },
    ...(["actions", "session"] as const).map((kind) => ({
      kind,
      entries: of(kind),
      count: of(kind).length,
    })),
  ].filter((group) => group.count > 0);
}
