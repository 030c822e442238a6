import { afterEach, describe, expect, it } from "vitest";
import type { Block, FileEdit } from "../../model.gen";
import { makeTestRoom, nextFrames } from "../../text/test_room";
import { cutAtLine } from "../edits/changed_file";
import { EVIL, end, ONE_OF_EACH, open, show } from "../test_room";
import { findTail, TAIL } from "./output";

afterEach(() => end());

describe("command", () => {
  it("has the command in its summary, the original on hover, and the rest inside", () => {
    const { find, root } = show(ONE_OF_EACH.command);
    expect(find(".blocks-summary")?.textContent).toBe("Ran ls -la");
    expect(find("summary")?.title).toBe("/bin/zsh -lc 'cd /p && ls -la'");
    open(find("details"));
    expect(find(".blocks-meta")?.textContent).toBe("in /p · exit code 2 · took 1.5 s");
    expect(find(".blocks-output .ansi-red-fg")?.textContent).toBe("red");
    expect(root.textContent).toContain("y\n");
  });

  it.each([
    [{ does: "read", status: "completed" }, "Read ls -la"],
    [{ does: "read", summary: "cat wordkit.py", status: "completed" }, "Read wordkit.py"],
    [{ does: "read", summary: "sed -n '1,80p' src/a.py", status: "inProgress" }, "Reading src/a.py"],
    [{ does: "read", summary: "cat a.py | head", status: "completed" }, "Read cat a.py | head"],
    [{ does: "read", summary: "cat a b", reads: 2, status: "completed" }, "Read cat a b"],
    [{ does: "search", status: "inProgress" }, "Searching ls -la"],
    [{ does: "list", status: "failed", exit_code: 2 }, "Listed ls -la"],
    [{ does: "run", status: "failed", exit_code: null }, "Failed to run ls -la"],
    [{ status: "cancelled", exit_code: null }, "Cancelled ls -la"],
    [{ status: "declined" }, "Declined ls -la"],
    [{ does: "test", status: "inProgress" }, "Running the tests ls -la"],
    [{ does: "test", status: "completed", exit_code: 0 }, "Tests passed ls -la"],
    [{ does: "test", status: "failed", exit_code: 1 }, "Tests failed ls -la"],
    [{ does: "test", status: "failed", exit_code: null }, "Tests did not finish ls -la"],
  ] as const)("says %j in a verb", (some, words) => {
    const { find } = show({ ...ONE_OF_EACH.command, ...some } as Block);
    expect(find(".blocks-summary")?.textContent).toBe(words);
  });

  it("is open where it is tests that failed, until a person closes it", () => {
    const failed = { ...ONE_OF_EACH.command, status: "failed" } as Block;
    expect(show(failed).find("details[open]")).toBeFalsy();
    expect(show({ ...failed, does: "test" } as Block).find("details[open]")).toBeTruthy();
  });

  it("shows what could deceive in a command", () => {
    const { find } = show({ kind: "command", id: "b", command: "rm \u202efoo", summary: "" });
    expect(find(".blocks-summary")?.textContent).toBe("Running rm <U+202E>foo");
  });

  it("shows the end of a long output, and all of it from the daemon", async () => {
    const output = Array.from({ length: 6_000 }, (_, at) => `line ${at}\n`).join("");
    const testRoom = makeTestRoom({
      "artifact.read": { artifact_id: "", text: "line 0\n", size: 9, next_offset: 7 },
    });
    const { find, button } = show(
      { kind: "command", id: "b", command: "x", output, status: "completed" },
      testRoom,
    );
    open(find("details"));
    expect(find(".text-ansi")?.textContent?.endsWith("line 5999\n")).toBe(true);
    expect(find(".text-ansi")?.textContent?.length).toBeLessThan(2 * TAIL);
    button("Show all")?.click();
    await expect.poll(() => find(".text-ansi")?.textContent).toBe("line 0\n");
    expect(testRoom.asked).toEqual([
      { what: "artifact.read", with: [{ artifact_id: "s1/b/output", offset: 0, limit: 100_000 }] },
    ]);
    expect(button("Show more")).toBeDefined();
  });

  it("moves the cut of a growing output seldom, and to a line", () => {
    const text = "0123456789\n".repeat(10_000);
    const cuts = new Set(Array.from({ length: 700 }, (_, at) => findTail(text.slice(0, 60_000 + at * 10))));
    expect(cuts.size).toBeLessThanOrEqual(2);
    for (const cut of cuts) expect(text[cut - 1]).toBe("\n");
  });
});

describe("fileChange", () => {
  it.each([
    ["completed", "Edited"],
    ["cancelled", "Cancelled"],
    ["failed", "Failed to edit"],
  ] as const)("says %s as it is", (status, verb) => {
    const { find } = show({ ...ONE_OF_EACH.fileChange, status } as Block);
    expect(find(".blocks-summary .blocks-kind")?.textContent).toBe(verb);
  });

  it("lists its files with their counts and their diffs", async () => {
    const { find, all, root } = show(ONE_OF_EACH.fileChange);
    expect(find("summary .blocks-summary")?.textContent).toBe("Edited 2 files");
    expect(all(".blocks-path").map((path) => path.textContent)).toEqual(["src/a.py", `${EVIL}.txt`]);
    expect(find(".blocks-file .frame-counts")?.textContent).toBe("+11 line added −11 line deleted");
    expect(root.textContent).toContain("applied");
    open(find(".blocks-file details"));
    await expect.poll(() => find(".blocks-file .blocks-inside")?.textContent).toContain("b");
  });

  it.each([{ ctrlKey: true }, { metaKey: true }])(
    "opens a file by a click with %j, and by its button",
    (held) => {
      const { find, button, testRoom } = show(ONE_OF_EACH.fileChange);
      open(find("details"));
      const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...held });
      find(".blocks-file summary")?.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(true);
      button("Open src/a.py")?.click();
      expect(testRoom.asked).toEqual([
        { what: "openFile", with: ["s1", { path: "src/a.py" }] },
        { what: "openFile", with: ["s1", { path: "src/a.py" }] },
      ]);
    },
  );

  it("takes the diff of a file from the latest one where it has none", () => {
    const block: Block = {
      kind: "fileChange",
      id: "b",
      has_diff: true,
      files: [{ path: "a.py", change: "update" }],
    };
    const { mirror, find } = show(block);
    open(find("details"));
    expect(find(".blocks-file details")).toBeNull();
    const file = {
      path: "a.py",
      change: "update",
      diff: "@@ -1 +1 @@\n-a\n+b\n",
      additions: 1,
      deletions: 1,
    } as const;
    mirror.setHead({ diff: { unified: "", files: [file] } });
    expect(find(".blocks-file details")).not.toBeNull();
  });

  it("cuts a large diff at a line and offers the diff view", async () => {
    const diff = `@@ -0,0 +1,9000 @@\n${"+a line of text\n".repeat(9_000)}`;
    const spans = [{ first: 1, count: 9_000, old_start: 0, new_start: 1 }];
    const file = { path: "big.txt", change: "add", diff, spans } as const satisfies FileEdit;
    const { find, all, button, testRoom } = show({ kind: "fileChange", id: "b", files: [file] });
    open(find("details"));
    open(find(".blocks-file details"));
    const buttons = all(".blocks-note button");
    expect(buttons).toHaveLength(1);
    buttons[0]?.click();
    expect(button("Open in diff view")).toBeDefined();
    const shown = { kind: "diff", title: "big.txt", unified: "", files: [file], session: "s1" };
    expect(testRoom.asked).toEqual([{ what: "show", with: [shown] }]);
    expect(cutAtLine("ab\ncd\nef", 7)).toBe("ab\ncd\n");
    expect(cutAtLine("@@\n+a very long line", 10)).toBe("@@\n+a very");
  });
});

describe("attachments", () => {
  const block: Block = {
    kind: "assistant",
    id: "b",
    text: "here",
    status: "completed",
    attachments: [
      {
        type: "diff",
        diff_id: "d1",
        unified_diff: "--- a\n",
        files: [{ path: "a", additions: 1, deletions: 0 }],
      },
      { type: "logs", title: "Test", text: "\u001b[32mok\u001b[0m" },
      { type: "status", json: { a: [1] } },
      { type: "error", code: "E1", message: EVIL, details: { why: "x" } },
    ],
  };

  it("views and applies a diff by its id", async () => {
    const testRoom = makeTestRoom({ "edits.apply": { status: "rejected", summary: "Not applied." } });
    const { button } = show(block, testRoom);
    button("View Diff")?.click();
    button("Apply Diff")?.click();
    expect(button("Waiting")?.hasAttribute("disabled")).toBe(true);
    await nextFrames(1);
    expect(testRoom.asked).toEqual([
      {
        what: "show",
        with: [{ kind: "diff", title: "Diff", unified: "--- a\n", diffId: "d1", session: "s1" }],
      },
      { what: "edits.apply", with: [{ diff_id: "d1" }] },
      { what: "toast", with: ["warn", "Not applied.", undefined, undefined] },
    ]);
  });

  it("shows logs, status and error", () => {
    const { all, root } = show(block);
    for (const details of all("details")) open(details);
    expect(root.querySelector(".ansi-green-fg")?.textContent).toBe("ok");
    expect(root.querySelector(".blocks-attachment-status code")?.textContent).toBe(
      '{\n  "a": [\n    1\n  ]\n}',
    );
    expect(root.querySelector(".blocks-attachment-error")?.textContent).toContain(`E1 ${EVIL}`);
  });
});
