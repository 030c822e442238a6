import { describe, expect, it } from "vitest";
import { findToken, mentionQuery, mentionsSelection, replaceToken, type Token } from "./token";

/// `|` is the caret.
function at(text: string): Token | undefined {
  return findToken(text.replace("|", ""), text.indexOf("|"));
}

function choose(text: string, chosen: string): string {
  const token = at(text);
  if (!token) return "no token";
  const edited = replaceToken(text.replace("|", ""), token, chosen);
  return `${edited.text.slice(0, edited.caret)}|${edited.text.slice(edited.caret)}`;
}

describe("findToken", () => {
  it.each([
    ["/|", "/"],
    ["/re|", "/re"],
    ["/r|e more", "/re"],
    ["@|", "@"],
    ["look at @src/a|", "@src/a"],
    ["look at @sr|c/a.py now", "@src/a.py"],
    ["@read| me", "@read"], // touching its end
    ["first\n@a|", "@a"],
    ["see |@a", "@a"], // to the right
    ["@a | @b", "@b"], // on white space: the right one, not the left one
  ])("%s has %s", (text, word) => {
    expect(at(text)?.text).toBe(word);
  });

  it.each([
    ["|/new"], // the arrows walk the history from here
    ["|@a"],
    ["/new |"],
    ["say /new|"],
    [" /new|"],
    ["first\n/new|"],
    ["/usr/bin|"], // a path
    ["@README.md |"], // what a choice leaves behind
    ["@a\n|"],
    ["@a |\n@b"],
    ["me@example.org|"],
    ["plain|"],
    ["|"],
  ])("%s has none", (text) => {
    expect(at(text)).toBeUndefined();
  });

  it("tells a command from a mention", () => {
    expect(at("/re|")?.kind).toBe("slash");
    expect(at("/re @a|")?.kind).toBe("mention");
  });
});

describe("replaceToken", () => {
  it.each([
    ["/re|", "/rename", "/rename |"],
    ["fix @re|", "@README.md", "fix @README.md |"],
    ["fix @r|ea now", "@README.md", "fix @README.md |now"], // the space that is there serves
    ["@re|\nnow", "@README.md", "@README.md |\nnow"],
  ])("%s and %s give %s", (text, chosen, result) => {
    expect(choose(text, chosen)).toBe(result);
  });

  it("leaves nothing that would open the popup again", () => {
    expect(at(choose("fix @re|", "@README.md"))).toBeUndefined();
    expect(at(choose("/he|", "/help"))).toBeUndefined();
  });
});

it("reads the older spelling of a mention", () => {
  expect(mentionQuery({ kind: "mention", start: 0, end: 9, text: "@file:a.b" })).toBe("a.b");
  expect(mentionQuery({ kind: "mention", start: 0, end: 2, text: "@a" })).toBe("a");
});

it("reads a name in quotes", () => {
  expect(mentionQuery({ kind: "mention", start: 0, end: 4, text: '@"my' })).toBe("my");
});

it.each([
  ["@selection"],
  ["fix @selection now"],
  ["explain @selection."],
  ["(@selection), please"],
  ["```\ncode\n```\n@selection"],
])("finds @selection in %s, as the daemon does", (text) => {
  expect(mentionsSelection(text)).toBe(true);
});

it.each([["@selections"], ["a@selection"], ["@selection.py"], ["```\n@selection\n```"], ["~~~\n@selection"]])(
  "finds none in %s",
  (text) => {
    expect(mentionsSelection(text)).toBe(false);
  },
);
