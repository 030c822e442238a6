import assert from "node:assert/strict";
import { test } from "node:test";
import type { Card } from "../../../ui/src/model.gen";
import { countCards, cutCards, groupCards } from "./groups";

const card = (session_id: string, more: Partial<Card> = {}): Card => ({
  session_id,
  title: session_id,
  workspace: "/a",
  status: "completed",
  ...more,
});

const shown = (cards: Card[], folders: string[]) =>
  groupCards(cards, folders).map((group) => [group.folder, group.cards.map((one) => one.session_id)]);

test("this window's folders come first, in each what waits, then what works, then the latest", () => {
  const cards = [
    card("old", { updated_at_ms: 1 }),
    card("new", { updated_at_ms: 5 }),
    card("works", { status: "working", updated_at_ms: 2 }),
    card("waits", { status: "waiting_user" }),
    card("pinned", { place: "pinned", updated_at_ms: 0 }),
    card("other", { workspace: "/z", updated_at_ms: 99 }),
  ];
  assert.deepEqual(shown(cards, ["/a", "/empty"]), [
    ["/a", ["waits", "works", "pinned", "new", "old"]],
    ["/z", ["other"]],
  ]);
});

test("what is archived, deleted or part of another session is not listed; what is hidden is", () => {
  const cards = [
    card("hidden", { hidden: true }),
    card("archived", { place: "archived" }),
    card("deleted", { deleted: true }),
    card("child", { parent: "hidden" }),
    card("machine", { workspace: "" }),
  ];
  assert.deepEqual(shown(cards, []), [["/a", ["hidden"]]]);
});

test("what asks waits, whatever its status", () => {
  const cards = [card("a", { asks: 1, status: "working" }), card("b", { status: "working" }), card("c")];
  assert.deepEqual(countCards(cards), { waiting: 1, working: 1 });
});

test("of thousands in one folder the first are listed, and all that are busy", () => {
  const cards = (count: number, status: Card["status"]) =>
    Array.from({ length: count }, (_, at) => card(`${status} ${at}`, { status }));
  const many = cutCards([...cards(3, "working"), ...cards(10_000, "completed")]);
  assert.deepEqual([many.shown.length, many.more], [100, 9_903]);
  const busy = cutCards([...cards(150, "waiting_user"), ...cards(10, "completed")]);
  assert.deepEqual([busy.shown.length, busy.more], [150, 10]);
  assert.equal(cutCards(cards(100, "completed")).more, 0);
});
