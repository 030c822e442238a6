import { describe, expect, it } from "vitest";
import { findTyped, stepTo } from "./menu_keys";

const entries = [
  { label: "Rename…" },
  { label: "Fork" },
  { label: "", line: true },
  { label: "Copy id" },
  { label: "Close tab (hide)" },
];

describe("the arrows", () => {
  it.each([
    [-1, "ArrowDown", 0],
    [0, "ArrowDown", 1],
    [1, "ArrowDown", 3], // over the line
    [4, "ArrowDown", 0],
    [0, "ArrowUp", 4],
    [3, "ArrowUp", 1],
    [-1, "ArrowUp", 4],
    [3, "Home", 0],
    [0, "End", 4],
  ])("from %i with %s to %i", (from, key, to) => {
    expect(stepTo(entries, from, key)).toBe(to);
  });

  it("leaves other keys alone, and an empty menu", () => {
    expect(stepTo(entries, 0, "x")).toBeUndefined();
    expect(stepTo([], 0, "ArrowDown")).toBeUndefined();
  });
});

describe("typing", () => {
  it("walks through those that begin with one letter", () => {
    expect(findTyped(entries, 0, "c")).toBe(3);
    expect(findTyped(entries, 3, "c")).toBe(4);
    expect(findTyped(entries, 4, "c")).toBe(3);
    expect(findTyped(entries, 3, "cc")).toBe(4);
  });

  it("stays where it is while a word grows", () => {
    expect(findTyped(entries, 4, "cl")).toBe(4);
    expect(findTyped(entries, 3, "cl")).toBe(4);
  });

  it("finds nothing where nothing is", () => {
    expect(findTyped(entries, 0, "z")).toBeUndefined();
    expect(findTyped(entries, 0, "")).toBeUndefined();
  });
});
