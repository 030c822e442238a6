import { describe, expect, it } from "vitest";
import { FileLines } from "./lines";
import { crumbsOf, findMatches } from "./matches";
import {
  fromSelection,
  isPicked,
  movePick,
  pick,
  pickedText,
  placeOf,
  toSelection,
  withMention,
} from "./picked";

function linesOf(...pieces: string[]): string[] {
  const lines = new FileLines();
  for (const piece of pieces) lines.feed(piece);
  return lines.list.map((line) => line.text);
}

describe("lines", () => {
  it("are the same wherever the pieces are cut", () => {
    const text = "one\r\ntwo\n\nfour\nlast";
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(linesOf(text.slice(0, cut), text.slice(cut))).toEqual(["one", "two", "", "four", "last"]);
    }
    expect(linesOf(...text)).toEqual(["one", "two", "", "four", "last"]);
  });

  it("end without an empty one after the last newline, and tell their endings", () => {
    const lines = new FileLines();
    lines.feed("a\r\nb\n");
    expect([lines.list.length, lines.endings]).toEqual([2, { lf: true, crlf: true }]);
    expect(linesOf("")).toEqual([]);
    expect(linesOf("\n\n")).toEqual(["", ""]);
  });
});

describe("picked lines", () => {
  const lines = ["a", "b", "c", "d"].map((text) => ({ text }));

  it("become a range from 0 with an exclusive end, whichever end was first", () => {
    const range = { start: { line: 1, column: 0 }, end: { line: 3, column: 0 } };
    const down = pick(pick(undefined, 1, false), 2, true);
    const up = pick(pick(undefined, 2, false), 1, true);
    for (const picked of [down, up]) {
      expect(toSelection("x.py", lines, picked)).toEqual({ path: "x.py", range, selected_text: "b\nc" });
      expect(placeOf("x.py", picked)).toBe("x.py#L2-L3");
      expect(fromSelection("x.py", toSelection("x.py", lines, picked))).toEqual({ anchor: 1, head: 2 });
    }
    expect(placeOf("x.py", pick(down, 0, false))).toBe("x.py#L1");
    expect([0, 1, 2, 3].filter((line) => isPicked(down, line))).toEqual([1, 2]);
  });

  it("move by keys and stay inside", () => {
    const first = movePick(undefined, 1, false, 4);
    const more = movePick(movePick(first, 1, true, 4), 99, true, 4);
    expect([first, pickedText(lines, more)]).toEqual([{ anchor: 0, head: 0 }, "a\nb\nc\nd"]);
    expect(movePick(first, -5, false, 4)).toEqual({ anchor: 0, head: 0 });
  });

  it("are mentioned once in the prompt", () => {
    expect(withMention("", "@selection")).toBe("@selection ");
    expect(withMention("look at", "@selection")).toBe("look at @selection ");
    expect(withMention("look at @selection please", "@selection")).toBe("look at @selection please");
  });
});

describe("matches", () => {
  it("are found without regard to case, without overlapping", () => {
    const lines = [{ text: "aAa" }, { text: "ba" }];
    expect(findMatches(lines, "aa")).toEqual([{ line: 0, start: 0, end: 2 }]);
    expect(findMatches(lines, "A").length).toBe(4);
    expect(findMatches(lines, "")).toEqual([]);
  });
});

describe("crumbs", () => {
  it("lead to every folder above", () => {
    expect(crumbsOf("a//b/./c.py").map((crumb) => crumb.path)).toEqual(["a", "a/b", "a/b/c.py"]);
  });
});
