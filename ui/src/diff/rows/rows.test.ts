import { describe, expect, it } from "vitest";
import { listFiles } from "../listing";
import { makeFile, parseDiff } from "../read/parse";
import { type DiffRow, findRow, lineOf, Rows, startsChange } from "./rows";

const { files } = parseDiff(
  "--- a/x\n+++ b/x\n@@ -1,4 +1,5 @@\n a\n-b\n-c\n+B\n d\n+e\n+f\n@@ -9 +10 @@\n-g\n+G\ndiff --git a/empty b/empty\nnew file mode 100644\n",
);

const side = (row: DiffRow): string => {
  if (row.kind === "pair") return `${row.left?.text ?? "·"}|${row.right?.text ?? "·"}`;
  if (row.kind === "line")
    return `${row.line.sign}${row.line.text}${row.partner ? `~${row.partner.text}` : ""}`;
  return row.kind === "hunk" ? `hunk ${row.hunk.number}` : `${row.kind} ${row.file.path}`;
};
const open = () => false;

describe("the rows of a diff", () => {
  it("stand side by side, what replaces beside what it replaces", () => {
    expect(new Rows().list(files, "split", open).map(side)).toEqual([
      "file x",
      "hunk 1",
      "a|a",
      "b|B",
      "c|·",
      "d|d",
      "·|e",
      "·|f",
      "hunk 2",
      "g|G",
      "file empty",
      "note empty",
    ]);
  });

  it("stand below each other, each with its partner", () => {
    expect(new Rows().list(files, "unified", open).map(side)).toEqual([
      "file x",
      "hunk 1",
      " a",
      "-b~B",
      "-c",
      "+B~b",
      " d",
      "+e",
      "+f",
      "hunk 2",
      "-g~G",
      "+G~g",
      "file empty",
      "note empty",
    ]);
  });

  it("are the same ones when another file is closed", () => {
    const rows = new Rows();
    const all = rows.list(files, "unified", open);
    const some = rows.list(files, "unified", (file) => file.path === "x");
    expect(some.map(side)).toEqual(["file x", "file empty", "note empty"]);
    expect(some.every((row) => all.includes(row))).toBe(true);
  });

  it("are walked from change to change", () => {
    const rows = new Rows().list(files, "split", open);
    const first = findRow(rows, -1, 1, startsChange) ?? 0;
    const second = findRow(rows, first, 1, startsChange) ?? 0;
    expect([first, second, findRow(rows, second, 1, startsChange)]).toEqual([3, 6, 9]);
    expect(findRow(rows, second, -1, startsChange)).toBe(first);
    expect(findRow(rows, 9, 1, startsChange)).toBeUndefined();
    expect([lineOf(rows[3])?.text, lineOf(rows[4])?.text, lineOf(rows[1])]).toEqual(["B", "c", undefined]);
  });

  it("are made once for 5,000 files and for one line of 1 MB", () => {
    const one = (i: number) =>
      `diff --git a/f${i} b/f${i}\n--- a/f${i}\n+++ b/f${i}\n@@ -1,9 +1,9 @@\n${" a\n-b\n+c\n".repeat(6)}`;
    const text = `${Array.from({ length: 5_000 }, (_, i) => one(i)).join("")}--- a/l\n+++ b/l\n@@ -0,0 +1 @@\n+${"x".repeat(1_000_000)}\n`;
    const parsed = parseDiff(text);
    const rows = new Rows();
    const made = rows.list(parsed.files, "split", open);
    expect(made.length).toBe(5_000 * 14 + 3);
    expect(rows.list(parsed.files, "split", open).every((row, i) => row === made[i])).toBe(true);
  });
});

describe("the list of files", () => {
  it("names each folder before its files, and filters by words", () => {
    const all = ["a/b/x.py", "a/b/y.py", "z.md"].map(makeFile);
    const names = (filter: string) => listFiles(all, filter).map((entry) => entry.name);
    expect(names("")).toEqual(["a/b/", "x.py", "y.py", "", "z.md"]);
    expect(names("B /Y")).toEqual(["a/b/", "y.py"]);
  });
});
