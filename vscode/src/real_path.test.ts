import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findAmong, realOf } from "./real_path";

function makeFolder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "real-path-")));
  mkdirSync(join(root, "project"));
  writeFileSync(join(root, "project", "a.py"), "");
  symlinkSync(join(root, "project"), join(root, "link"));
  symlinkSync(join(root, "project", "a.py"), join(root, "project", "b.py"));
  return root;
}

test("a file that is not there yet has its folder's real name", () => {
  const root = makeFolder();
  assert.equal(realOf(join(root, "link", "new", "c.py")), join(root, "project", "new", "c.py"));
});

test("a file with unsaved changes is found through a link to its folder or to itself", () => {
  const root = makeFolder();
  const dirty = [join(root, "link", "a.py"), join(root, "link", "new.py")];
  assert.deepEqual(findAmong(dirty, join(root, "project"), ["a.py", "b.py", "new.py", "other.py"]), [
    "a.py",
    "b.py",
    "new.py",
  ]);
});
