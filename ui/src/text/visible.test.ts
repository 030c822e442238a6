import { describe, expect, it } from "vitest";
import { sayFault, shorten, visible } from "./visible";

describe("visible", () => {
  it("spells what hides and leaves what is honest", () => {
    expect(visible("a\u202egpj.exe\tb\nc\u200b")).toBe("a<U+202E>gpj.exe\tb\nc<U+200B>");
  });

  it("ends a name that nobody would read to its end", () => {
    expect(visible("n".repeat(20_000))).toHaveLength(20_000);
    expect(visible("n".repeat(1_000_000))).toBe(`${"n".repeat(20_000)}…`);
  });
});

describe("sayFault", () => {
  it("says what was thrown, whatever it is", () => {
    expect(sayFault(new Error("no \u202efile"))).toBe("no <U+202E>file");
    expect(sayFault("lost")).toBe("lost");
  });
});

describe("shorten", () => {
  it("is one line with an ellipsis where there was more", () => {
    expect(shorten(" a\n b ", 9)).toBe("a b");
    expect(shorten("one two three", 8)).toBe("one two…");
  });
});
