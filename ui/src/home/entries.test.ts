import { expect, it } from "vitest";
import type { Card } from "../model.gen";
import { sortOut } from "./entries";

function card(session_id: string, some: Partial<Card> = {}): Card {
  return { session_id, title: session_id, workspace: "/a", status: "completed", ...some };
}

const ids = (cards: readonly Card[]) => cards.map((one) => one.session_id).join(" ");

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
  const entries = sortOut(cards, (one) => one.session_id === "old");
  expect(ids(entries.waiting)).toBe("w1 w2");
  expect(ids(entries.working)).toBe("r1 r2");
  expect(ids(entries.ended)).toBe("e1 e3 e2"); // each project's together
  expect(entries.recent.map(({ folder, cards, count }) => [folder, ids(cards), count])).toEqual([
    ["/a", "new", 5],
    ["/b", "old", 4],
  ]);
});

it("lists a bounded number of each", () => {
  const cards = Array.from({ length: 500 }, (_, at) => card(`s${at}`, { workspace: `/p${at % 20}` }));
  const unseen = sortOut(cards, () => false);
  expect(unseen.ended).toHaveLength(30);
  const seen = sortOut(cards, () => true);
  expect([seen.recent.length, seen.recent[0]?.cards.length, seen.recent[0]?.count]).toEqual([8, 5, 25]);
});
