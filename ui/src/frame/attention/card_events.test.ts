import { describe, expect, it } from "vitest";
import type { Card } from "../../model.gen";
import { findEvents, findReason } from "./card_events";

const card = (status: Card["status"], asks = 0, session_id = "s1"): Card => ({
  session_id,
  title: "Fix the parser",
  workspace: "/home/me/project",
  status,
  asks,
});

describe("why a person is notified", () => {
  it.each([
    [undefined, card("working"), undefined],
    [undefined, card("waiting_user", 1), "needsYou"],
    [card("working"), card("waiting_user", 1), "needsYou"],
    [card("working"), card("working", 1), "needsYou"],
    [card("waiting_user", 1), card("waiting_user", 2), "needsYou"], // one more
    [card("waiting_user", 2), card("waiting_user", 1), undefined],
    [card("working"), card("completed"), "finished"],
    [card("waiting_user", 1), card("completed"), "finished"],
    [card("working"), card("stopped"), "failedNow"],
    [card("working"), { ...card("completed"), outcome: "failed" }, "failedNow"],
    [card("working"), { ...card("completed"), outcome: "completed" }, "finished"],
    [card("working"), { ...card("completed"), outcome: "interrupted" }, undefined], // by the person
    [card("waiting_user", 1), { ...card("completed"), outcome: "declined" }, undefined],
    [card("completed"), card("completed"), undefined],
    [card("unknown"), card("completed"), undefined], // only looked up
    [undefined, card("completed"), undefined],
  ] as const)("case %#", (before, now, reason) => {
    expect(findReason(before, now)).toBe(reason);
  });

  it("finds what has changed among many", () => {
    const same = card("working", 0, "same");
    const before = new Map([
      ["same", same],
      ["s1", card("working")],
    ]);
    const now = card("completed");
    expect(findEvents(before, [same, now])).toEqual([{ card: now, reason: "finished" }]);
  });
});
