import { expect, it } from "vitest";
import { findBeginning, foldBlank, splitLines } from "./long_text";

it("counts runs of blank lines, and leaves out nothing else", () => {
  expect(foldBlank(`ls${"\n".repeat(299)}rm x\n \t\n\ntrue\n`)).toEqual([
    { text: "ls" },
    { blank: 298 },
    { text: "rm x\n \t\n\ntrue" },
  ]);
  expect(foldBlank(`${"\n \u3000".repeat(3)}\nx`)).toEqual([{ blank: 4 }, { text: "x" }]);
  expect(foldBlank("x\n<U+200B>\n<U+200B>\n<U+200B>")).toEqual([{ text: "x\n<U+200B>\n<U+200B>\n<U+200B>" }]);
  expect(foldBlank("")).toEqual([{ text: "" }]);
});

it("counts lines as a terminal does", () => {
  expect([splitLines("ls"), splitLines("ls\n"), splitLines("ls\n\n")].map((lines) => lines.length)).toEqual([
    1, 1, 2,
  ]);
});

it("gives the beginning of what is too long, by lines and by characters", () => {
  expect(findBeginning("a\nb", 2, 10)).toBeUndefined();
  expect(findBeginning("a\nb\nc", 2, 10)).toBe("a\nb");
  expect(findBeginning("abcdef", 2, 3)).toBe("abc");
});
