import { describe, expect, it } from "vitest";
import { findPaneKey } from "./keys";

const press = (code: string, held: string) => ({
  code,
  ctrlKey: held.includes("c"),
  shiftKey: held.includes("s"),
  metaKey: held.includes("m"),
  altKey: held.includes("a"),
});

describe("the keys that a terminal does not get", () => {
  it.each([
    ["KeyC", "cs", "copy"],
    ["KeyV", "cs", "paste"],
    ["KeyF", "cs", "find"],
    ["KeyV", "m", "paste"],
    ["F6", "c", "leave"],
    ["KeyC", "c", undefined], // the program's own
    ["KeyV", "c", undefined],
    ["KeyF", "csa", undefined],
    ["F6", "", undefined],
    ["KeyX", "cs", undefined],
  ])("%s with %s is %s", (code, held, key) => {
    expect(findPaneKey(press(code, held), true)).toBe(key);
  });
});
