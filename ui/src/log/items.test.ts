import { describe, expect, it } from "vitest";
import type { Outlined } from "../state/room";
import { findItem, makeItems } from "./items";

const KINDS = {
  u: "user",
  a: "assistant",
  c: "command",
  m: "mcp",
  w: "webSearch",
  r: "reasoning",
  f: "fileChange",
} as const;

/// "u1 c1 c1!": kind and run of each block; with a sign it is still going. "c" alone belongs to no run.
function outline(text: string): Outlined[] {
  return text.split(" ").map((word, at) => ({
    id: `b${at}`,
    kind: KINDS[word[0] as keyof typeof KINDS],
    run: /\d/.exec(word)?.[0] ?? "",
    isGoing: word.endsWith("!"),
  }));
}

function drawn(text: string, ended: string): string {
  return makeItems(outline(text), new Set(ended))
    .map((item) => (item.kind === "group" ? `(${item.ids.length})` : item.kind === "end" ? "|" : item.id))
    .join(" ");
}

describe("makeItems", () => {
  it.each([
    ["tool work that the agent has gone on from is one", "u1 c1 c1 r1 w1 a1", "", "b0 (4) b5"],
    ["what may be read right now is not folded", "u1 c1 c1", "", "b0 b1 b2"],
    ["nor what is still going", "u1 c1 c1! a1", "", "b0 b1 b2 b3"],
    ["the end of a run folds what it ended with", "u1 c1 m1", "1", "b0 (2) |"],
    ["one piece of work stays a line, with or without a thought", "u1 r1 c1 a1", "1", "b0 b1 b2 b3 |"],
    ["changes stay in sight", "u1 c1 c1 f1 c1 c1 a1", "1", "b0 (2) b3 (2) b6 |"],
    ["work of two runs is not one", "u1 c1 c2 a2", "12", "b0 b1 | b2 b3 |"],
    ["what belongs to no run has no end", "u c c a", "", "b0 b1 b2 b3"],
    ["a run ends after its last block", "u1 a1 u2 a2", "1", "b0 b1 | b2 b3"],
  ])("%s", (_, text, ended, items) => {
    expect(drawn(text, ended)).toBe(items);
  });

  it("finds the item of a block", () => {
    const items = makeItems(outline("u1 c1 c1 a1"), new Set("1"));
    expect(["b0", "b2", "b3", "gone"].map((id) => findItem(items, id))).toEqual([0, 1, 2, -1]);
  });
});
