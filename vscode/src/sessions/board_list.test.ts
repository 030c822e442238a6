import assert from "node:assert/strict";
import { test } from "node:test";
import type { Card, WatchedSession } from "../../../ui/src/model.gen";
import { listBoard } from "./board_list";

const card = (session_id: string, more: Partial<Card> = {}): Card => ({
  session_id,
  title: session_id,
  workspace: "/a",
  status: "completed",
  ...more,
});
const theirs = (their_id: string, more: Partial<WatchedSession> = {}): WatchedSession => ({
  key: `claude:${their_id}`,
  agent: "claude",
  their_id,
  status: "completed",
  source: "registry",
  ...more,
});
const shown = (cards: Card[], watched: WatchedSession[]) =>
  listBoard(cards, watched).map((one) => (one.kind === "ours" ? one.card.session_id : one.session.their_id));

test("what waits comes first, then what works, then the latest; ours and others' in one list", () => {
  const cards = [card("done", { updated_at_ms: 9 }), card("asks", { asks: 1, status: "working" })];
  const watched = [
    theirs("rests", { activity_at_ms: 10 }),
    theirs("works", { status: "working" }),
    theirs("waits", { status: "waiting_user", activity_at_ms: 20 }),
    theirs("driven here", { status: "waiting_user", session_id: "asks" }),
  ];
  assert.deepEqual(shown(cards, watched), ["waits", "asks", "works", "rests", "done"]);
});

test("a file alone proves nothing, and what rests has a ceiling", () => {
  const rollout = theirs("seen", { status: "waiting_user", source: "rollout" });
  assert.equal(listBoard([], [rollout])[0]?.status, "unknown");
  const many = Array.from({ length: 80 }, (_, at) => theirs(`${at}`));
  assert.equal(listBoard([card("old", { workspace: "", updated_at_ms: 1 })], many).length, 50);
});
