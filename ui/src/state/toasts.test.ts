// Toasts: how long they stay.
import { createRoot, createSignal } from "solid-js";
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
    const toasts = new Toasts(
      () => true,
      () => "",
    );
    toasts.add("info", "copied");
    toasts.add("error", "refused");
    vi.advanceTimersByTime(6_000);
    expect(toasts.list().map((toast) => toast.message)).toEqual(["refused"]);
    vi.advanceTimersByTime(15_000);
    expect(toasts.list()).toEqual([]);
  });

  it("about one session is shown there alone, and waits for the person to come back", () => {
    const [active, activate] = createSignal("a");
    const [toasts, dispose] = createRoot((end) => [new Toasts(() => true, active), end] as const);
    toasts.add("error", "refused", { at: "a" });
    toasts.add("warn", "another version");
    const shown = () => toasts.list().map((toast) => toast.message);
    expect(shown()).toEqual(["refused", "another version"]);
    activate("");
    expect(shown()).toEqual(["another version"]);
    vi.advanceTimersByTime(60_000);
    expect(shown()).toEqual([]);
    activate("a");
    expect(shown()).toEqual(["refused"]);
    vi.advanceTimersByTime(40_000);
    expect(shown()).toEqual([]);
    dispose();
  });

  it("with something to undo is never merged with another", () => {
    const undone: string[] = [];
    const [toasts, dispose] = createRoot((end) => [
      new Toasts(
        () => true,
        () => "",
      ),
      end,
    ]);
    for (const session of ["a", "b"])
      toasts.add("info", "deleted", { action: { label: "Undo", act: () => undone.push(session) } });
    for (const _ of "12") toasts.add("warn", "not connected");
    for (const toast of toasts.list()) toast.action?.act();
    expect([undone, toasts.list().map((toast) => toast.count)]).toEqual([
      ["a", "b"],
      [1, 1, 2],
    ]);
    dispose();
  });

  it("stays while nobody looks", () => {
    let looks = false;
    const toasts = new Toasts(
      () => looks,
      () => "",
    );
    toasts.add("error", "refused");
    vi.advanceTimersByTime(3_600_000);
    expect(toasts.list().length).toBe(1);
    looks = true;
    vi.advanceTimersByTime(20_000);
    expect(toasts.list()).toEqual([]);
  });
});
