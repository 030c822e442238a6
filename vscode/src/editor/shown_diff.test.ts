import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseAll, toggleHunk } from "../../../ui/src/diff/choosing";
import type { PreparedFile } from "../../../ui/src/model.gen";
import { findFile, findHunk, linesLeftOut, makeShown } from "./shown_diff";

const FILE: PreparedFile = {
  path: "new.py",
  source: "old.py",
  kind: "rename",
  additions: 2,
  deletions: 2,
  hunks: [
    {
      number: 1,
      old_start: 1,
      old_count: 3,
      new_start: 1,
      new_count: 4,
      lines: [" a", "-b", "+B", "+C", " d"],
    },
    { number: 2, old_start: 20, old_count: 2, new_start: 21, new_count: 1, lines: [" x", "-y"] },
  ],
};
const VIEWED = [{ path: "new.py", before: "before", after: "after" }];
const SIDE = { diffId: "d", isReverse: false, folder: "" };

test("each side has its own path, text and lines", () => {
  const diff = makeShown("d", [FILE], VIEWED, false);
  const file = findFile(diff, { ...SIDE, side: "before", path: "old.py" });
  assert.equal(file, findFile(diff, { ...SIDE, side: "after", path: "new.py" }));
  assert.equal(findFile(diff, { ...SIDE, side: "after", path: "old.py" }), undefined);
  assert.deepEqual(file?.text, { before: "before", after: "after" });
  assert.deepEqual(file?.hunks[0], {
    number: 1,
    first: { before: 1, after: 1 },
    last: { before: 3, after: 4 },
    changed: { before: [2], after: [2, 3] },
  });
});

test("a path is one of the diff's, and never one on the disk", () => {
  const diff = makeShown("d", [FILE], VIEWED, false);
  for (const path of ["../new.py", "/etc/passwd", "new.py/../new.py", "__proto__", "constructor"])
    for (const side of ["before", "after"] as const)
      assert.equal(findFile(diff, { ...SIDE, side, path }), undefined);
});

test("of a diff that reverts, both sides are turned round", () => {
  const [file] = makeShown("d", [FILE], VIEWED, true).files;
  assert.deepEqual(file?.path, { before: "new.py", after: "old.py" });
  assert.deepEqual(file?.text, { before: "after", after: "before" });
  assert.deepEqual(file?.hunks[0]?.changed, { before: [2, 3], after: [2] });
  assert.equal(file?.unit.path, "new.py"); // as the daemon names it
});

test("the hunk at a line is the one around it, else the next, else the last", () => {
  const [file] = makeShown("d", [FILE], VIEWED, false).files;
  assert.ok(file);
  const at = (line: number) => findHunk(file, "after", line)?.number;
  assert.deepEqual([at(1), at(4), at(5), at(21), at(900)], [1, 1, 2, 2, 2]);
  assert.equal(findHunk({ ...file, hunks: [] }, "after", 1), undefined);
});

test("what was left out is marked in the documents that have it", () => {
  const diff = makeShown("d", [FILE], VIEWED, false);
  const all = chooseAll(diff.files.map((file) => file.unit));
  const before = { ...SIDE, side: "before", path: "old.py" } as const;
  const after = { ...SIDE, side: "after", path: "new.py" } as const;
  assert.deepEqual(linesLeftOut(diff, all, after), []);
  const first = toggleHunk(all, 0, 1);
  assert.deepEqual([linesLeftOut(diff, first, before), linesLeftOut(diff, first, after)], [[2], [2, 3]]);
});

test("a line with carriage returns takes as many rows as the editor shows of it", () => {
  const before = "10%\r50%\r100%\r\nold\r\nend\rof file\r";
  const hunk = { number: 1, old_start: 1, old_count: 3, new_start: 1, new_count: 3 };
  const lines = [" 10%\r50%\r100%\r", "-old\r", "+new\r", "-end\rof file\r", "+end"];
  const prepared: PreparedFile = { ...FILE, path: "log", source: "", hunks: [{ ...hunk, lines }] };
  const viewed = [{ path: "log", before, after: "10%\r50%\r100%\r\nnew\r\nend" }];
  const [file] = makeShown("d", [prepared], viewed, false).files;
  assert.deepEqual(file?.hunks[0], {
    number: 1,
    first: { before: 1, after: 1 },
    last: { before: 7, after: 5 },
    changed: { before: [4, 5, 6, 7], after: [4, 5] },
  });
});
