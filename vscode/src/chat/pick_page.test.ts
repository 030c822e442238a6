import assert from "node:assert/strict";
import { test } from "node:test";
import { pickPage } from "./pick_page";

const covered = { page: "covered", isVisible: false };
const inFront = { page: "in front", isVisible: true };
const last = { page: "last", isVisible: false };

test("the page that was used last counts, though a tab is in front", () => {
  const tabs = [covered, inFront];
  assert.equal(pickPage({ used: "chat", chat: "chat", hasChat: true, tabs }), "chat");
  assert.equal(pickPage({ used: "covered", chat: "chat", hasChat: true, tabs }), "covered");
});

test("before any was used, it is the chat view, also one that is still to come", () => {
  assert.equal(pickPage({ used: undefined, chat: "chat", hasChat: true, tabs: [inFront] }), "chat");
  assert.equal(pickPage({ used: undefined, chat: undefined, hasChat: true, tabs: [inFront] }), undefined);
});

test("without a chat view it is a tab: the one in front, else the last", () => {
  const open = { used: undefined, chat: undefined, hasChat: false };
  assert.equal(pickPage({ ...open, tabs: [covered, inFront, last] }), "in front");
  assert.equal(pickPage({ ...open, tabs: [covered, last] }), "last");
  assert.equal(pickPage({ ...open, tabs: [] }), undefined);
});
