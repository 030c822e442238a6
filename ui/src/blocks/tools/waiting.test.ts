import { expect, it } from "vitest";
import type { Ask } from "../../model.gen";
import { isAbout } from "./waiting";

const ask = (subject: Ask["subject"], more: Partial<Ask> = {}): Ask => ({
  id: "a",
  title: "",
  subject,
  choices: [],
  ...more,
});
const files = ask({ about: "files", files: [{ path: "a.py", change: "update" }] }, { run: "r" });
const command = ask({ about: "command", command: "ls", original: "bash -c ls" });

it.each([
  [files, { kind: "fileChange", id: "b", run: "r", files: [{ path: "a.py", change: "update" }] }, true],
  [files, { kind: "fileChange", id: "b", run: "r", files: [{ path: "b.py", change: "update" }] }, false],
  [files, { kind: "fileChange", id: "b", run: "old", files: [{ path: "a.py", change: "update" }] }, false],
  [command, { kind: "command", id: "b", command: "ls", original: "bash -c ls" }, true],
  [command, { kind: "command", id: "b", command: "pwd", original: "bash -c pwd" }, false], // runs beside it
  [{ ...command, by: "bascule" }, { kind: "command", id: "b", original: "bash -c ls" }, false], // our own test
] as const)("case %#", (one, block, expected) => {
  expect(isAbout(one as Ask, block as never)).toBe(expected);
});
