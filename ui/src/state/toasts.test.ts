// Toasts: how long they stay.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toasts } from "./toasts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a toast", () => {
  it("goes by itself, an error later than a note", () => {
    const toasts = new Toasts(() => true);
    toasts.add("info", "copied");
    toasts.add("error", "refused");
    vi.advanceTimersByTime(6_000);
    expect(toasts.list().map((toast) => toast.message)).toEqual(["refused"]);
    vi.advanceTimersByTime(15_000);
    expect(toasts.list()).toEqual([]);
  });

  it("stays while nobody looks", () => {
    let looks = false;
    const toasts = new Toasts(() => looks);
    toasts.add("error", "refused");
    vi.advanceTimersByTime(3_600_000);
    expect(toasts.list().length).toBe(1);
    looks = true;
    vi.advanceTimersByTime(20_000);
    expect(toasts.list()).toEqual([]);
  });
});
