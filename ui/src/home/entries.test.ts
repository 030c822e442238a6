import { expect, it } from "vitest";
import type { Card, WatchedSession } from "../model.gen";
import { dotOf, type HomeEntry, type HomeFilter, makeEntries, sortOut } from "./entries";

function card(session_id: string, some: Partial<Card> = {}): Card {
  return { session_id, title: session_id, workspace: "/a", status: "completed", ...some };
}

function theirs(their_id: string, some: Partial<WatchedSession> = {}): WatchedSession {
  const key = `claude:${their_id}`;
  return { key, agent: "claude", their_id, status: "working", source: "registry", cwd: "/a", ...some };
}

const NONE: ReadonlySet<string> = new Set();
const id = (one: HomeEntry) => (one.kind === "ours" ? one.card.session_id : one.session.their_id);
const ids = (entries: readonly HomeEntry[]) => entries.map(id).join(" ");

it("sorts out who waits, who works, who has ended unseen, and the rest by project", () => {
  const cards = [
    card("w1", { status: "waiting_user" }),
    card("r1", { status: "working" }),
    card("w2", { status: "working", asks: 1, workspace: "/b" }),
    card("e1"),
    card("r2", { status: "working", workspace: "/b" }),
    card("e2", { status: "stopped", workspace: "/b" }),
    card("e3", { agent: "claude" }),
    card("old", { workspace: "/b" }),
    card("hidden", { hidden: true }),
    card("new", { status: "unknown" }),
  ];
  const entries = sortOut(makeEntries(cards, [], NONE), (one) => one.session_id === "old");
  expect(ids(entries.waiting)).toBe("w1 w2");
  expect(ids(entries.working)).toBe("r1 r2");
  expect(ids(entries.ended)).toBe("e1 e3 e2"); // each project's together
  expect(entries.recent.map(({ folder, entries: some, count }) => [folder, ids(some), count])).toEqual([
    ["/a", "new", 1],
    ["/b", "old", 1],
  ]);
});

it("lists a bounded number of each", () => {
  const cards = Array.from({ length: 500 }, (_, at) => card(`s${at}`, { workspace: `/p${at % 20}` }));
  const all = makeEntries(cards, [], NONE);
  const ended = sortOut(all, () => false);
  expect([ended.ended.length, ended.more.ended]).toEqual([30, 470]);
  const seen = sortOut(all, () => true);
  expect([seen.recent.length, seen.recent[0]?.entries.length, seen.recent[0]?.count]).toEqual([8, 5, 25]);
  expect(seen.more).toEqual({ waiting: 0, working: 0, ended: 0, projects: 12 });
  const alone = sortOut(all, () => true, { folder: "/p3" });
  expect([alone.recent.length, alone.recent[0]?.entries.length]).toEqual([1, 25]);
  const working = Array.from({ length: 500 }, (_, at) => theirs(`t${at}`));
  const busy = makeEntries([], working, NONE);
  expect([sortOut(busy, () => true).working.length, sortOut(busy, () => true).more.working]).toEqual([
    30, 470,
  ]);
  const chosen = sortOut(busy, () => true, { status: "working" });
  expect([chosen.working.length, chosen.more.working]).toEqual([500, 0]);
});

const OURS = [
  card("o1", { status: "working", updated_at_ms: 50 }),
  card("o2", { status: "waiting_user", updated_at_ms: 40, workspace: "/b" }),
  card("o3", { updated_at_ms: 30 }),
];
const THEIRS = [
  theirs("t1", { activity_at_ms: 45, cwd: "/b" }),
  theirs("t2", { activity_at_ms: 60 }),
  theirs("t3", { activity_at_ms: 10, status: "waiting_user" }),
  theirs("t4", { activity_at_ms: 20, status: "completed" }),
  theirs("t5", { activity_at_ms: 35, status: "stopped" }),
  theirs("t6", { activity_at_ms: 70, agent: "codex", source: "rollout", status: "unknown", cwd: "" }),
  theirs("o1", { activity_at_ms: 99, session_id: "o1", source: "protocol" }),
];

function listAll(filter: HomeFilter = {}, pinned: ReadonlySet<string> = NONE) {
  const { waiting, working, ended, recent } = sortOut(
    makeEntries(OURS, THEIRS, pinned),
    (one) => one.session_id === "o3",
    filter,
  );
  return {
    waiting: ids(waiting),
    working: ids(working),
    ended: ids(ended),
    recent: recent.map((one) => `${one.folder}: ${ids(one.entries)}`),
  };
}

it("puts the sessions of others into the same lists, by project, and lists one of ours once", () => {
  expect(listAll()).toEqual({
    waiting: "o2 t3",
    working: "t2 o1 t1", // those of /a together
    ended: "",
    recent: [": t6", "/a: t5 o3 t4"],
  });
});

it("puts pinned ones first in their lists", () => {
  const { waiting, working, recent } = listAll({}, new Set(["claude:t3", "claude:t1", "claude:t4"]));
  expect([waiting, working, recent]).toEqual(["t3 o2", "t1 t2 o1", ["/a: t4 t5 o3", ": t6"]]);
});

it.each<[HomeFilter, string]>([
  [{ agent: "codex" }, "o2 | o1 | t6 o3"],
  [{ agent: "claude" }, "t3 | t2 t1 | t5 t4"],
  [{ folder: "/b" }, "o2 | t1 | "],
  [{ folder: "" }, " |  | t6"],
  [{ status: "waiting_user" }, "o2 t3 |  | "],
  [{ status: "unknown" }, " |  | t6"],
  [{ agent: "claude", folder: "/a", status: "working" }, " | t2 | "],
  [{ agent: "nobody" }, " |  | "],
])("filters by %j", (filter, expected) => {
  const { waiting, working, recent } = listAll(filter);
  const rest = recent.map((one) => one.split(": ")[1]).join(" ");
  expect(`${waiting} | ${working} | ${rest}`).toBe(expected);
});

it.each<[Partial<WatchedSession>, Card["status"]]>([
  [{ source: "registry", status: "working" }, "working"],
  [{ source: "hook", status: "waiting_user" }, "waiting_user"],
  [{ source: "socket", status: "completed" }, "completed"],
  [{ source: "registry", status: "stopped" }, "stopped"],
  [{ source: "rollout", status: "working" }, "unknown"],
  [{ source: "rollout", status: "waiting_user" }, "unknown"],
  [{ source: "rollout", status: "working", pane: "p1" }, "working"],
])("gives %j the dot of %s", (some, expected) => {
  expect(dotOf(theirs("x", some))).toBe(expected);
});
