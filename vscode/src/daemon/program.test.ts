import assert from "node:assert/strict";
import { test } from "node:test";
import { findProgram, type Surroundings } from "./program";

const find = (files: readonly string[], around: Partial<Surroundings> = {}) =>
  findProgram({
    setting: "",
    path: "/usr/bin:bin:/opt/bin",
    home: "/home/me",
    folders: ["/home/me/project"],
    platform: "linux",
    isFile: (path) => files.includes(path),
    realOf: (path) => path,
    ...around,
  });

const VENV = "/home/me/project/.venv/bin/bascule";

test("nothing is found where nothing is", () => {
  assert.equal(find([]), undefined);
});

test("the setting comes first, and is not replaced by another place", () => {
  assert.deepEqual(find(["/x/bascule", "/usr/bin/bascule"], { setting: "/x/bascule" }), {
    command: "/x/bascule",
    isInWorkspace: false,
  });
  assert.equal(find(["/usr/bin/bascule"], { setting: "/x/bascule" }), undefined);
  assert.equal(find(["/opt/bin/b2"], { setting: "b2" })?.command, "/opt/bin/b2");
});

test("PATH, then what `uv tool` or pipx installed, then the workspace's own", () => {
  const tool = "/home/me/.local/bin/bascule";
  assert.deepEqual(find([VENV, tool, "/opt/bin/bascule"])?.command, "/opt/bin/bascule");
  assert.deepEqual(find([VENV, tool]), { command: tool, isInWorkspace: false });
  assert.deepEqual(find([VENV]), { command: VENV, isInWorkspace: true });
});

test("a PATH that leads into the workspace is the workspace's own", () => {
  const path = "/home/me/project/.venv/bin:/usr/bin";
  assert.deepEqual(find([VENV, "/usr/bin/bascule"], { path })?.command, "/usr/bin/bascule");
  assert.deepEqual(find([VENV], { path }), { command: VENV, isInWorkspace: true });
});

test("neither another project's environment nor a link into the workspace is taken unasked", () => {
  const other = "/home/me/other/.venv/bin";
  assert.equal(find([`${other}/bascule`], { path: other })?.isInWorkspace, true);
  const real = "/data/project/tools/bascule";
  const around = {
    path: "/data/project/tools",
    realOf: (path: string) => path.replace("/home/me/project", "/data/project"),
  };
  assert.equal(find([real], around)?.isInWorkspace, true);
});

test("a relative part of PATH is not followed", () => {
  assert.equal(find(["bin/bascule"]), undefined);
});

test("Windows has other names", () => {
  const around: Partial<Surroundings> = {
    platform: "win32",
    path: "C:\\tools;D:\\more",
    home: "C:\\Users\\me",
    folders: ["C:\\project"],
  };
  assert.equal(find(["D:\\more\\bascule.exe"], around)?.command, "D:\\more\\bascule.exe");
  assert.equal(find(["C:\\project\\.venv\\Scripts\\bascule.exe"], around)?.isInWorkspace, true);
});
