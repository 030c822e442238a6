import { describe, expect, it } from "vitest";
import { gitNames, plainName } from "./names";
import { MAX_LINES, parseDiff, parseEdit } from "./parse";

const TWO = `diff --git a/a.py b/a.py
index 111..222 100644
--- a/a.py
+++ b/a.py
@@ -1,3 +1,3 @@ def f():
 one
-two
+TWO
 three
@@ -10 +10,2 @@
-x
+y
+z
\\ No newline at end of file
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/pic.png b/pic.png
new file mode 100644
Binary files /dev/null and b/pic.png differ
`;

const shape = (text: string) =>
  parseDiff(text).files.map((file) => [
    file.kind,
    file.source ? `${file.source} > ${file.path}` : file.path,
    file.hunks.map((hunk) => hunk.lines.map((line) => line.sign).join("")),
    file.additions,
    file.deletions,
  ]);

describe("a diff of Git", () => {
  it("gives files, hunks numbered from 1, and counts", () => {
    const { files } = parseDiff(TWO);
    expect(shape(TWO)).toEqual([
      ["update", "a.py", [" -+ ", "-++"], 3, 2],
      ["rename", "old name.txt > new name.txt", [], 0, 0],
      ["update", "run.sh", [], 0, 0],
      ["add", "pic.png", [], 0, 0],
    ]);
    expect(files[0]?.hunks.map((hunk) => hunk.number)).toEqual([1, 2]);
    expect(files[2]).toMatchObject({ modeBefore: "100644", modeAfter: "100755" });
    expect(files[3]?.binary).toBe(true);
  });

  it("numbers lines on both sides and marks the one without a newline", () => {
    const lines = parseDiff(TWO).files[0]?.hunks.flatMap((hunk) => hunk.lines) ?? [];
    expect(lines.map((line) => [line.before, line.after, line.bare])).toEqual([
      [1, 1, false],
      [2, 0, false],
      [0, 2, false],
      [3, 3, false],
      [10, 0, false],
      [0, 10, false],
      [0, 11, true],
    ]);
  });

  it("takes a deleted line that looks like a header for a line", () => {
    const text =
      "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,1 @@\n--- a comment\n+++ plus\n-b\n--- a/r\n+++ b/r\n@@ -1 +1 @@\n-a\n+b\n";
    expect(shape(text)).toEqual([
      ["update", "q.sql", ["-+-"], 1, 2],
      ["update", "r", ["-+"], 1, 1],
    ]);
  });

  it("keeps the carriage returns of lines and none in names", () => {
    const { files } = parseDiff("--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n");
    expect(files[0]?.path).toBe("x");
    expect(files[0]?.hunks[0]?.lines.map((line) => line.text)).toEqual(["a\r", "b\r"]);
  });

  it("tells new and deleted files by their names alone", () => {
    const added = "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n";
    const gone = "--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    expect(shape(added + gone)).toEqual([
      ["add", "n", ["+"], 1, 0],
      ["delete", "o", ["-"], 0, 1],
    ]);
  });
});

describe("a diff that is broken", () => {
  it("is read where its counts are wrong", () => {
    const text = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n a\n-b\n+c\n@@ -9,99 +9,99 @@\n-d\ndiff --git a/y b/y\n";
    expect(shape(text)).toEqual([
      ["update", "x", [" -+", "-"], 1, 2],
      ["update", "y", [], 0, 0],
    ]);
  });

  it("is read without numbers, in Codex's own words", () => {
    const text =
      "*** Begin Patch\n*** Add File: n.txt\n+one\n+two\n*** Update File: u.txt\n*** Move to: v.txt\n@@ def f():\n a\n-b\n+c\n*** Delete File: d.txt\n*** End Patch\n";
    expect(shape(text)).toEqual([
      ["add", "n.txt", ["++"], 2, 0],
      ["rename", "u.txt > v.txt", [" -+"], 1, 1],
      ["delete", "d.txt", [], 0, 0],
    ]);
  });

  it("gives no file when it is none", () => {
    for (const text of ["", "hello\n- a\n+ b\n", "@@ what\n", "\u0000\\\n@@@@\n", "+++ b/x\n--- \n"]) {
      expect(parseDiff(text).files).toEqual([]);
    }
  });

  it("is cut at its ceiling, and says how much is left", () => {
    const many = `--- a/x\n+++ b/x\n@@ -1,1 +1,${MAX_LINES + 5} @@\n${"+a\n".repeat(MAX_LINES + 5)}`;
    const { files, left } = parseDiff(many);
    expect(files[0]?.additions).toBe(MAX_LINES);
    expect(left).toBe(15);
  });

  it("never throws, whatever stands in it", () => {
    const parts = [
      "diff --git ",
      "--- ",
      "+++ ",
      "@@ -1,2 +3,4 @@",
      "@@",
      "\\",
      '"\\377',
      "a/",
      "\n",
      "-",
      "+",
      " ",
      "\r",
      "rename from ",
    ];
    let seed = 7;
    const next = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed;
    };
    for (let round = 0; round < 2000; round += 1) {
      const text = Array.from({ length: next() % 40 }, () => parts[next() % parts.length]).join("");
      const { files } = parseDiff(text);
      for (const file of files)
        expect(file.hunks.map((hunk) => hunk.number)).toEqual(file.hunks.map((_, i) => i + 1));
    }
  });
});

describe("one file's edit", () => {
  it("takes hunks alone, or a header before them", () => {
    const hunks = "@@ -1 +1 @@\n-a\n+b\n";
    const alone = parseEdit({ path: "x", change: "update", moved_to: "y", diff: hunks });
    const whole = parseEdit({
      path: "x",
      change: "update",
      diff: `diff --git a/x b/x\n--- a/x\n+++ b/x\n${hunks}`,
    });
    expect([alone.kind, alone.source, alone.path, alone.additions]).toEqual(["rename", "x", "y", 1]);
    expect([whole.kind, whole.path, whole.hunks.length]).toEqual(["update", "x", 1]);
  });

  it("shows what is no diff as it is", () => {
    const file = parseEdit({ path: "x", change: "update", diff: "no diff\nat all" });
    expect(file.hunks[0]?.lines.map((line) => line.text)).toEqual(["no diff", "at all"]);
  });
});

describe("names", () => {
  it("are read with quotes, blanks and timestamps", () => {
    expect(plainName('"a/\\346\\227\\245\\t.txt"')).toBe("日\t.txt");
    expect(plainName("b/x.py\t2024-01-01 00:00:00")).toBe("x.py");
    expect(gitNames("a/with b/in it b/with b/in it")).toEqual(["with b/in it", "with b/in it"]);
    expect(gitNames('"a/q\\"" b/r')).toEqual(['q"', "r"]);
  });
});
