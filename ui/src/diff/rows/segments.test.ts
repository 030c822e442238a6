import { describe, expect, it } from "vitest";
import { cutSegments } from "./segments";
import { compareWords, MAX_COMPARED } from "./words";

describe("changed words", () => {
  it("are found on both sides", () => {
    expect(compareWords("let total = 1;", "let sum = 1;")).toEqual({
      before: [{ start: 4, end: 9 }],
      after: [{ start: 4, end: 7 }],
    });
  });

  it("are not marked in lines that have little in common, are equal or too long", () => {
    const none = { before: [], after: [] };
    expect(compareWords("alpha beta", "completely different words here")).toEqual(none);
    expect(compareWords("a", "a")).toEqual(none);
    expect(compareWords("a".repeat(MAX_COMPARED + 1), "a")).toEqual(none);
  });
});

describe("segments", () => {
  const tokens = [
    { text: "let ", look: "hljs-keyword" },
    { text: "total", look: "" },
  ];

  it("cut tokens where words begin and end", () => {
    const segments = cutSegments(tokens, [{ start: 2, end: 6 }], 100);
    expect(segments.map((one) => [one.text, one.look, one.word])).toEqual([
      ["le", "hljs-keyword", false],
      ["t ", "hljs-keyword", true],
      ["to", "", true],
      ["tal", "", false],
    ]);
  });

  it("keep words that are written from right to left apart, so that nothing changes places", () => {
    const segments = cutSegments(
      [{ text: "cp \u05d0\u05d1 > \u05d2\u0301/1 \u0627\u200f\u0627", look: "" }],
      [],
      100,
    );
    expect(segments.map((one) => [one.text, one.apart, one.hidden])).toEqual([
      ["cp ", false, false],
      ["\u05d0\u05d1", true, false],
      [" > ", false, false],
      ["\u05d2\u0301", true, false],
      ["/1 ", false, false],
      ["\u0627", true, false],
      ["\\u200f", false, true],
      ["\u0627", true, false],
    ]);
  });

  it("end at the ceiling", () => {
    expect(cutSegments(tokens, [], 6).map((one) => one.text)).toEqual(["let ", "to"]);
  });

  it("spell out what cannot be seen, and what would reorder the line", () => {
    const segments = cutSegments([{ text: "a\u202eb\t c\u3000\r", look: "" }], [], 100);
    expect(segments.map((one) => (one.hidden ? `<${one.text}>` : one.text)).join("")).toBe(
      "a<\\u202e>b\t c\u3000<\\r>",
    );
    const tag = cutSegments([{ text: "x\u0007\u{e0041}", look: "" }], [], 100);
    expect(tag.map((one) => one.text)).toEqual(["x", "\\x07", "\\u{e0041}"]);
  });
});
