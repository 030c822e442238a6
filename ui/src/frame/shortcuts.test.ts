import { describe, expect, it } from "vitest";
import { findAction, type KeyPress, showStroke } from "./shortcuts";

const press = (code: string, key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  code,
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

describe("which action a press means", () => {
  it.each<[string, KeyPress, string | undefined]>([
    ["Ctrl+K", press("KeyK", "k", { ctrlKey: true }), "search"],
    ["Alt+N", press("KeyN", "n", { altKey: true }), "newSession"],
    ["Alt+3", press("Digit3", "3", { altKey: true }), "tab"],
    ["AltGr, which types", press("Digit3", "³", { altKey: true, ctrlKey: true }), undefined],
    ["Ctrl+N, the browser's", press("KeyN", "n", { ctrlKey: true }), undefined],
    ["a letter", press("KeyN", "n"), undefined],
  ])("%s", (_, pressed, name) => {
    expect(findAction(pressed, true, false)?.name).toBe(name);
  });

  it("takes a plain character only when nothing is typed", () => {
    const question = press("Slash", "?");
    expect(findAction(question, false, false)?.name).toBe("help");
    expect(findAction(question, true, false)).toBeUndefined();
  });

  it("knows which tab", () => {
    expect(findAction(press("Digit7", "7", { altKey: true }), false, false)).toEqual({
      name: "tab",
      digit: 7,
    });
    expect(findAction(press("Digit0", "0", { altKey: true }), false, false)).toBeUndefined();
  });

  it("leaves Option to a Mac's typing", () => {
    expect(findAction(press("KeyN", "˜", { altKey: true }), true, true)).toBeUndefined();
    expect(findAction(press("KeyN", "˜", { altKey: true, ctrlKey: true }), true, true)?.name).toBe(
      "newSession",
    );
    expect(findAction(press("KeyK", "k", { metaKey: true }), true, true)?.name).toBe("search");
  });
});

describe("how it is written", () => {
  it("is as the system's own keyboard says", () => {
    expect(showStroke("search", false)).toBe("Ctrl+K");
    expect(showStroke("search", true)).toBe("⌘K");
    expect(showStroke("tab", false)).toBe("Alt+1 … 9");
    expect(showStroke("help", true)).toBe("?");
  });
});
