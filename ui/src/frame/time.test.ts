import { describe, expect, it, vi } from "vitest";
import { relativeTime } from "./time";

const NOW = Date.UTC(2026, 0, 20, 12);
const MINUTE = 60_000;

describe("relative time", () => {
  it.each([
    [0, "now"],
    [-30_000, "now"],
    [-5 * MINUTE, "5m ago"],
    [-90 * MINUTE, "1h ago"],
    [-25 * 60 * MINUTE, "yesterday"],
    [-6 * 1440 * MINUTE, "6d ago"],
    [-8 * 1440 * MINUTE, "last wk."],
    [-70 * 1440 * MINUTE, "2mo ago"],
    [-800 * 1440 * MINUTE, "2y ago"],
    [3 * 60 * MINUTE, "in 3h"],
  ])("%i ms is %s", (offset, words) => {
    expect(relativeTime(NOW + offset, NOW, "en")).toBe(words);
  });

  it("speaks Japanese and Chinese", () => {
    expect(relativeTime(NOW - 5 * MINUTE, NOW, "ja")).toMatch(/5\s?分前/);
    expect(relativeTime(NOW - 5 * MINUTE, NOW, "zh")).toMatch(/5\s?分钟前/);
  });
});

it("is not behind when the page was open for long before anything counted it", async () => {
  vi.resetModules();
  const { slowNow } = await import("./time");
  const later = Date.now() + 75_000;
  vi.useFakeTimers({ now: later });
  expect(slowNow()).toBe(later);
  vi.useRealTimers();
});
