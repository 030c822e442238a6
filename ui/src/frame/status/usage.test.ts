import { describe, expect, it } from "vitest";
import { howFull, limitName, usedPercent } from "./usage";

describe("usage", () => {
  it("is a share of the window, and nothing without one", () => {
    expect(usedPercent({ context_used: 34_000, context_window: 100_000 })).toBe(34);
    expect(usedPercent({ context_used: 120_000, context_window: 100_000 })).toBe(100);
    expect(usedPercent({ context_used: 34_000 })).toBeUndefined();
  });

  it.each([
    [300, "5 h"],
    [10_080, "week"],
    [1_440, "1 d"],
    [45, "45 min"],
    [null, "primary"],
  ])("a window of %s minutes is called %s", (window_minutes, name) => {
    expect(limitName({ name: "primary", used_percent: 1, window_minutes })).toBe(name);
  });

  it("warns before it is full", () => {
    expect([0, 79, 80, 94, 95, 100].map(howFull)).toEqual(["ok", "ok", "warn", "warn", "bad", "bad"]);
  });
});
