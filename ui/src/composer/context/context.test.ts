import { expect, it } from "vitest";
import { addContext, countFiles, findPart, listWanted, removeContext } from "./context";
import { isNothing, selectedLines } from "./whereabouts";

it("adds and removes each kind, and a file once", () => {
  const file = { kind: "file", name: "a.py" } as const;
  const active = { kind: "active_file", name: "" } as const;
  const both = addContext(addContext(addContext({}, file), file), active);
  expect(both).toEqual({ files: ["a.py"], include_active_file: true });
  expect(countFiles(both)).toBe(2);
  expect(listWanted(both)).toEqual([active, file]);
  expect(listWanted(removeContext(removeContext(both, file), active))).toEqual([]);
});

it("finds what the daemon says of a chip", () => {
  const parts = [
    { kind: "file", name: "a.py" },
    { kind: "selection", name: "b.py#L1" },
  ] as const;
  expect(findPart(parts, { kind: "file", name: "a.py" })).toBe(parts[0]);
  expect(findPart(parts, { kind: "selection", name: "" })).toBe(parts[1]);
  expect(findPart(parts, { kind: "file", name: "b.py" })).toBeUndefined();
});

it.each([
  [[2, 0, 2, 5], "a.py#L3"],
  [[2, 0, 4, 1], "a.py#L3-L5"],
  [[2, 0, 4, 0], "a.py#L3-L4"], // the line at whose start it ends is not meant
  [[2, 0, 3, 0], "a.py#L3"],
] as const)("spells the selection %o as %s", ([line, column, endLine, endColumn], spelt) => {
  const range = { start: { line, column }, end: { line: endLine, column: endColumn } };
  expect(selectedLines({ path: "a.py", range })).toBe(spelt);
  expect(isNothing({ path: "a.py", range })).toBe(false);
});
