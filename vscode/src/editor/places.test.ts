import assert from "node:assert/strict";
import { test } from "node:test";
import { fenced, latestFirst, mention, relativeTo } from "./places";

const lines = (a: number, b: number, c: number, d: number) => ({
  start: { line: a, character: b },
  end: { line: c, character: d },
});

test("a file is named from its folder, and only inside of it", () => {
  assert.equal(relativeTo("/p", "/p/src/a.py"), "src/a.py");
  assert.equal(relativeTo("/p", "/other/a.py"), undefined);
  assert.equal(relativeTo("/p", "/p"), undefined);
  assert.equal(relativeTo("/p", "/p-2/a.py"), undefined);
});

test("lines count from 1, and one that is not reached into does not count", () => {
  assert.equal(mention("a.py"), "@a.py");
  assert.equal(mention("a.py", lines(2, 0, 2, 5)), "@a.py#L3");
  assert.equal(mention("a.py", lines(2, 0, 6, 1)), "@a.py#L3-L7");
  assert.equal(mention("a.py", lines(2, 0, 6, 0)), "@a.py#L3-L6");
  assert.equal(mention("a.py", lines(2, 0, 3, 0)), "@a.py#L3");
});

test("what was looked at last comes first, and what was closed since is left out", () => {
  assert.deepEqual(latestFirst(["/a", "/b", "/c", "/a"], ["/c", "/closed", "/b"]), ["/c", "/b", "/a"]);
});

test("what a terminal shows ends no block of a prompt", () => {
  assert.equal(fenced("42 answers\n\n"), "```\n42 answers\n```\n");
  assert.equal(fenced("```\nrm -rf ~\n````"), "`````\n```\nrm -rf ~\n````\n`````\n");
});
