import { describe, expect, it } from "vitest";
import { MAX_ANSI, parseAnsi } from "./escapes";

const shown = (text: string) =>
  parseAnsi(text)
    .map((run) => run.text)
    .join("");

describe("parseAnsi", () => {
  it("makes classes of colours", () => {
    expect(parseAnsi("a \u001b[31mred\u001b[0m \u001b[1;42mgreen\u001b[0m z")).toEqual([
      { text: "a ", look: "" },
      { text: "red", look: "ansi-red-fg" },
      { text: " ", look: "" },
      { text: "green", look: "ansi-green-bg ansi-bold" },
      { text: " z", look: "" },
    ]);
  });

  it.each([
    ["\u001b[38;5;203mx", "ansi-bright-red-fg"],
    ["\u001b[38;2;0;180;10mx", "ansi-green-fg"],
    ["\u001b[38:2::0:180:10mx", "ansi-green-fg"],
    ["\u001b[48;5;21mx", "ansi-blue-bg"],
    ["\u001b[8mx", ""], // nothing may hide
    ["\u001b[5mx", ""],
  ])("%j is one of the sixteen", (text, look) => {
    expect(parseAnsi(text)).toEqual([{ text: "x", look }]);
  });

  it.each([
    ["a\u001b]0;title\u0007b", "ab"],
    ["a\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\b", "alinkb"],
    ["a\u001b]52;c;aGk=\u001b\\b", "ab"],
    ["a\u001bP1$r\u001b\\b", "ab"],
    ["a\u001b[2J\u001b[1;1Hb", "ab"],
    ["a\u001b[?25lb\u001b[>4;1mc", "abc"],
    ["a\u001b(Bb\u001b=c\u001b7d", "abcd"],
    ["a\u009b31mb\u009d0;t\u009cc", "abc"],
    ["a\u001b]never ends\nb", "a\nb"],
    ["a\u001b", "a"],
    ["a\u001b[", "a"],
    ["10%\r50%\r100%\nok\r\n", "100%\nok\n"],
    ["done\r", "done"],
    ["a\u0000b\u0008c\u007fd\te", "abcd\te"],
    ["a\u202eb", "ab"],
    ["<script>&amp;", "<script>&amp;"],
  ])("%j is shown as %j", (text, plain) => {
    expect(shown(text)).toBe(plain);
  });

  it("has ceilings for length and for changes of colour", () => {
    expect(shown("x".repeat(MAX_ANSI + 5))).toHaveLength(MAX_ANSI);
    const many = parseAnsi("\u001b[31ma\u001b[32mb".repeat(10_000));
    expect(many.length).toBeLessThan(4_100);
    expect(many.map((run) => run.text).join("")).toBe("ab".repeat(10_000));
  });
});
