import { expect, it } from "vitest";
import { isNew, mayWalk, type Walk, walkBack, walkForth } from "./history";

const SENT = ["first", "second", "third"];

/// Presses arrows one after the other, as the input does.
function press(arrows: string, present: string, sent: readonly string[] = SENT): string[] {
  let walk: Walk | undefined;
  let text = present;
  return [...arrows].map((arrow) => {
    const step = arrow === "↑" ? walkBack(walk, sent, text) : walkForth(walk, sent);
    if (!step) return "stays";
    ({ walk, text } = step);
    return text;
  });
}

it("goes back through what was sent and forth to the draft that was put aside", () => {
  expect(press("↑↑↓↓", "draft")).toEqual(["third", "second", "third", "draft"]);
});

it("stops at the oldest and does nothing below the draft", () => {
  expect(press("↑↑↑↑↓", "draft")).toEqual(["third", "second", "first", "stays", "second"]);
  expect(press("↓", "draft")).toEqual(["stays"]);
  expect(press("↑↓↓", "draft")).toEqual(["third", "draft", "stays"]);
});

it("puts an empty draft aside too", () => {
  expect(press("↑↓", "")).toEqual(["third", ""]);
});

it("has nowhere to go without a past", () => {
  expect(press("↑↓", "draft", [])).toEqual(["stays", "stays"]);
});

it("walks only without a popup, at the very start, with nothing selected", () => {
  expect(mayWalk(false, { start: 0, end: 0 })).toBe(true);
  expect(mayWalk(true, { start: 0, end: 0 })).toBe(false);
  expect(mayWalk(false, { start: 1, end: 1 })).toBe(false);
  expect(mayWalk(false, { start: 0, end: 4 })).toBe(false);
});

it("keeps the same text twice in a row once", () => {
  expect(isNew(["a"], "b")).toBe(true);
  expect(isNew(["a", "b"], "a")).toBe(true);
  expect(isNew(["a"], "a")).toBe(false);
  expect(isNew([], "  ")).toBe(false);
});
