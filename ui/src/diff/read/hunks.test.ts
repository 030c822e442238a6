import { describe, expect, it } from "vitest";
import type { FileEdit, PreparedFile, ShownHunk } from "../../model.gen";
import { fromEdit, toHunk, toPreparedFiles } from "./hunks";
import { MAX_LINES, parseDiff } from "./parse";

const TEXT = "@@ -3,3 +7,2 @@\n same\n--- a\n-@@ b\n++++ c\n\\ No newline at end of file\n";
const HUNK: ShownHunk = {
  number: 2,
  old_start: 3,
  old_count: 3,
  new_start: 7,
  new_count: 2,
  lines: [" same", "--- a", "-@@ b", "++++ c"],
  unended: [3],
};

function prepared(path: string, hunks: ShownHunk[]): PreparedFile {
  return { path, kind: "update", additions: 1, deletions: 2, hunks };
}

describe("hunks of the daemon", () => {
  it("are what reading the same diff gives, whatever their lines look like", () => {
    const { files } = parseDiff(`--- a/x\n+++ b/x\n${TEXT}`);
    expect(toHunk(HUNK)).toEqual({ ...files[0]?.hunks[0], number: 2 });
  });

  it("keep the names and numbers of the plan", () => {
    const [file] = toPreparedFiles([{ ...prepared("x\u202e", [HUNK]), source: "y", mode: "100755" }]);
    expect(file).toMatchObject({ path: "x\u202e", source: "y", modeAfter: "100755", deletions: 2 });
    expect(file?.hunks.map((hunk) => hunk.number)).toEqual([2]);
  });

  it("are shown up to the first file that is too long", () => {
    const long = { ...HUNK, lines: Array.from({ length: MAX_LINES }, () => " x") };
    const files = [prepared("a", [HUNK]), prepared("b", [long]), prepared("c", [HUNK])];
    expect(toPreparedFiles(files).map((file) => file.path)).toEqual(["a"]);
    expect(toPreparedFiles([]).length).toBe(0);
  });

  it("are sliced out of an agent's text where the daemon found them", () => {
    const diff = `${TEXT}@@ -9 +8,2 @@ here\r\n x\r\n+y\r\n`;
    const spans = [
      { first: 1, count: 5, old_start: 3, new_start: 7 },
      { first: 7, count: 2, old_start: 9, new_start: 8 },
    ];
    const edit = { path: "x", change: "update", diff, spans } as const satisfies FileEdit;
    const { files } = parseDiff(`--- a/x\n+++ b/x\n${diff}`);
    expect(fromEdit(edit)?.hunks).toEqual(files[0]?.hunks);
    const cut = { ...edit, diff: TEXT.slice(0, TEXT.indexOf("-@@")) };
    expect(fromEdit(cut)?.hunks.map((hunk) => hunk.lines.map((line) => line.text))).toEqual([
      ["same", "-- a"],
    ]);
  });

  it("are used instead of the text, where there are any", () => {
    const edit = { path: "x", change: "add", moved_to: "y", diff: "nonsense", hunks: [HUNK] } as const;
    expect(fromEdit({ ...edit, hunks: [HUNK] })).toMatchObject({ path: "y", source: "x", kind: "copy" });
    expect(fromEdit({ path: "x", change: "update", diff: TEXT })).toBeUndefined();
  });
});
