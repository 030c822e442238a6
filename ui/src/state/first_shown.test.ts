import { expect, it } from "vitest";
import type { Card } from "../model.gen";
import { findFirst } from "./first_shown";

const card = (session_id: string, workspace: string, more: Partial<Card> = {}): Card => ({
  session_id,
  workspace,
  title: session_id,
  status: "completed",
  ...more,
});
const cards = [card("new", "/b"), card("old", "/a"), card("shut", "/c", { hidden: true })];
const first = (more: Partial<Parameters<typeof findFirst>[0]>) =>
  findFirst({ cards, named: undefined, before: undefined, arrived: "", ...more });

it.each([
  ["the latest in a browser that never was here", {}, { session: "new" }],
  ["what was shown before", { before: "old" }, { session: "old" }],
  ["the home page, if that was shown", { before: "" }, {}],
  ["the home page, if the tab was closed", { before: "shut" }, {}],
  ["what the address names, whatever was shown", { named: "shut", before: "old" }, { session: "shut" }],
  ["what the address names, even if it is gone: the page says so", { named: "gone" }, { session: "gone" }],
  [
    "a new session for the draft of one that is gone",
    { named: "x", before: "x", lostDraft: "/a" },
    { begin: "/a" },
  ],
  [
    "the folder of bascule up, whatever draft is left elsewhere",
    { arrived: "/b", before: "x", lostDraft: "/a" },
    { session: "new" },
  ],
  ["the folder's own session after bascule up", { arrived: "/a", before: "new" }, { session: "old" }],
  ["what was shown, if it is of that folder", { arrived: "/b", before: "new" }, { session: "new" }],
  ["a new session in a folder that has none", { arrived: "/d", before: "new" }, { begin: "/d" }],
  ["the home page where all of the folder's tabs were closed", { arrived: "/c" }, {}],
  ["the first page of all, if there is nothing yet", { arrived: "/a", cards: [] }, {}],
])("shows %s", (_, more, expected) => {
  expect(first(more)).toEqual(expected);
});
