import { expect, it } from "vitest";
import { compareWords } from "./words";

function marked(line: string, spans: readonly { start: number; end: number }[]): string {
  let [text, at] = ["", 0];
  for (const { start, end } of spans) {
    text += `${line.slice(at, start)}[${line.slice(start, end)}]`;
    at = end;
  }
  return text + line.slice(at);
}

it.each([
  ['x = ("slug", "words")', 'x = ("slug", "vowels", "words")', 'x = ("slug", ["vowels", ]"words")'],
  ['x = ["slug"]', 'x = ["vowels", "slug"]', 'x = [["vowels", ]"slug"]'],
  ["f(a, b)", "f(a, x, b)", "f(a, [x, ]b)"],
  ["return one", "return one or two", "return one[ or two]"],
  ["let a = 1;", "let b = 1;", "let [b] = 1;"],
])("%s → %s", (before, after, words) => {
  expect(marked(after, compareWords(before, after).after)).toBe(words);
  expect(marked(after, compareWords(after, before).before)).toBe(words);
});
