import { expect, it } from "vitest";
import { matchMentions } from "./suggestions";

const matched = (files: string[], query: string) => matchMentions(files, query).map((one) => one.text);

it("spells every file so that the daemon finds it, and leaves out what cannot be spelt", () => {
  const files = [
    "a.py",
    "my notes.txt",
    "logo@2x.png",
    "@types/x.ts",
    "c:d.txt",
    'both " and blank',
    "two\nlines",
  ];
  expect(matched(files, "")).toEqual([
    ...["@selection", "@a.py", '@"my notes.txt"', "@logo@2x.png", '@"@types/x.ts"'],
  ]);
});

it("keeps of what was found before only what has the letters typed since", () => {
  const before = ["README.md", "src/deep/app.py", "apples.txt"];
  expect(matched(before, "app.")).toEqual(["@src/deep/app.py", "@apples.txt"]);
  expect(matched(before, "./SRC\\app")).toEqual(["@src/deep/app.py"]);
  expect(matched(before, "zzz")).toEqual([]);
});

it("offers nothing for the only file, typed to its end", () => {
  expect(matched(["a.py"], "a.py")).toEqual([]);
});

it("names what an editor has open first, once, and says so", () => {
  const found = ["a.py", "b.py", "deep/a.py"];
  expect(matchMentions(found, "a", ["deep/a.py", "z.py"])).toEqual([
    { text: "@deep/a.py", note: "open in the editor" },
    { text: "@a.py", note: "" },
  ]);
  const many = Array.from({ length: 30 }, (_, at) => `open${at}.py`);
  expect(matchMentions(found, "py", many).length).toBe(20);
});
