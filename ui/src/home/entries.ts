// What the home page lists: sessions that wait, work, or have ended unseen, and the recent ones by project;
// ours and those that somebody else started in the same lists.
import { agentOf } from "../frame/session/agent_name";
import type { Card, WatchedSession } from "../model.gen";
import { lastAt } from "./board/board_lines";

const MAX_WORKING = 30;
const MAX_ENDED = 30;
const MAX_WAITING = 100; // of those that can only be answered elsewhere
const MAX_PROJECTS = 8;
const MAX_RECENT = 5; // of one project
const MAX_RECENT_ALONE = 50; // where one project was chosen
const MAX_CHOSEN = 500; // of each list, where a person asked for fewer by a filter

interface Common {
  key: string;
  folder: string;
  agent: string;
  status: Card["status"];
  atMs: number;
}

export interface Ours extends Common {
  kind: "ours";
  card: Card;
}

export interface Theirs extends Common {
  kind: "theirs";
  session: WatchedSession;
}

export type HomeEntry = Ours | Theirs;

/// Only what is named has to match; a folder may be "".
export interface HomeFilter {
  agent?: string;
  folder?: string;
  status?: Card["status"];
}

export interface Project {
  folder: string;
  entries: readonly HomeEntry[];
  count: number; // with those that are too many to list here, without those that another list has
}

export interface Entries {
  waiting: readonly HomeEntry[];
  working: readonly HomeEntry[];
  ended: readonly Ours[];
  recent: readonly Project[];
  /// How many are too many to list here: counted, and found with a filter.
  more: Readonly<Record<"waiting" | "working" | "ended" | "projects", number>>;
}

export function makeOurs(card: Card): Ours {
  return {
    kind: "ours",
    key: `ours ${card.session_id}`,
    folder: card.workspace,
    agent: agentOf(card),
    status: (card.asks ?? 0) > 0 ? "waiting_user" : card.status,
    atMs: card.updated_at_ms ?? 0,
    card,
  };
}

/// A session that is driven here is a card already.
export function makeTheirs(session: WatchedSession): Theirs {
  return {
    kind: "theirs",
    key: session.key,
    folder: session.cwd ?? "",
    agent: session.agent,
    status: dotOf(session),
    atMs: lastAt(session),
    session,
  };
}

/// Seed 003: outside a pane, a rollout alone proves no status.
export function dotOf(session: WatchedSession): Card["status"] {
  return session.source === "rollout" && !session.pane ? "unknown" : session.status;
}

/// Pinned ones first, then the latest. Of equal age, ours stay in their order.
export function makeEntries(
  cards: readonly Card[],
  watched: readonly WatchedSession[],
  pinned: ReadonlySet<string>,
): readonly HomeEntry[] {
  const ours = cards.filter((card) => !card.hidden).map(makeOurs);
  const theirs = watched.filter((one) => !one.session_id).map(makeTheirs);
  const rank = (entry: HomeEntry) => (pinned.has(entry.key) ? 0 : 1);
  return [...ours, ...theirs].sort((a, b) => rank(a) - rank(b) || b.atMs - a.atMs);
}

export function matches(entry: HomeEntry, filter: HomeFilter): boolean {
  return (
    (filter.agent === undefined || entry.agent === filter.agent) &&
    (filter.folder === undefined || entry.folder === filter.folder) &&
    (filter.status === undefined || entry.status === filter.status)
  );
}

export function sortOut(
  all: readonly HomeEntry[],
  isSeen: (card: Card) => boolean,
  filter: HomeFilter = {},
): Entries {
  const shown = all.filter((entry) => matches(entry, filter));
  const waiting = shown.filter((entry) => entry.status === "waiting_user");
  const working = shown.filter((entry) => entry.status === "working");
  const ended = shown.filter((entry): entry is Ours => isEnded(entry) && !isSeen(entry.card));
  const listed = new Set<HomeEntry>([...waiting, ...working, ...ended]);
  const isChosen = Object.values(filter).some((value) => value !== undefined);
  const most = (usual: number) => (isChosen ? MAX_CHOSEN : usual);
  const recent = projects(shown, listed, filter.folder === undefined ? MAX_RECENT : MAX_RECENT_ALONE);
  const more = (all: readonly unknown[], limit: number) => Math.max(all.length - limit, 0);
  return {
    waiting: byProject(waiting.slice(0, most(MAX_WAITING))),
    working: byProject(working.slice(0, most(MAX_WORKING))),
    ended: byProject(ended.slice(0, most(MAX_ENDED))),
    recent: recent.slice(0, most(MAX_PROJECTS)),
    more: {
      waiting: more(waiting, most(MAX_WAITING)),
      working: more(working, most(MAX_WORKING)),
      ended: more(ended, most(MAX_ENDED)),
      projects: more(recent, most(MAX_PROJECTS)),
    },
  };
}

/// Whether somebody has looked is known of ours only.
function isEnded(entry: HomeEntry): entry is Ours {
  return entry.kind === "ours" && (entry.status === "completed" || entry.status === "stopped");
}

/// Those of one project next to each other; projects and the entries in them stay in their order.
function byProject<E extends HomeEntry>(entries: readonly E[]): readonly E[] {
  return [...group(entries).values()].flat();
}

function projects(entries: readonly HomeEntry[], listed: ReadonlySet<HomeEntry>, most: number): Project[] {
  return [...group(entries)]
    .map(([folder, all]) => {
      const rest = all.filter((entry) => !listed.has(entry));
      return { folder, entries: rest.slice(0, most), count: rest.length };
    })
    .filter((project) => project.entries.length > 0);
}

function group<E extends HomeEntry>(entries: readonly E[]): Map<string, E[]> {
  const groups = new Map<string, E[]>();
  for (const entry of entries) {
    const known = groups.get(entry.folder);
    if (known) known.push(entry);
    else groups.set(entry.folder, [entry]);
  }
  return groups;
}
