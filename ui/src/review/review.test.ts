import { describe, expect, it } from "vitest";
import {
  chooseAll,
  chooseNone,
  countChoosable,
  countChosen,
  howMuch,
  isEverything,
  reviewUnit,
  toChosenFiles,
  toggleFile,
  toggleHunk,
} from "../diff/choosing";
import { toPreparedFiles } from "../diff/read/hunks";
import { MAX_COMMENTS } from "../limits.gen";
import type { Ask, PreparedFile, ShownHunk } from "../model.gen";
import { isOurs, levelOf, tell } from "./apply/applying";
import { commentAt, find, loadDraft, NO_DRAFT, put, remove, saveDraft, written } from "./comments/comments";
import { previewUnits, toDiffFile } from "./reviewed";

function hunk(number: number, old_start: number, new_start: number, lines: string[]): ShownHunk {
  const count = (sign: string) => lines.filter((line) => line[0] !== sign).length;
  return { number, old_start, old_count: count("+"), new_start, new_count: count("-"), lines };
}

const UNITS = [
  { path: "a.py", hunks: [1, 2, 3], isPartial: false },
  { path: "moved.py", hunks: [], isPartial: false },
  { path: "gone.py", hunks: [2], isPartial: true },
];

describe("choosing", () => {
  it("takes all, none, a file, a hunk", () => {
    const all = chooseAll(UNITS);
    expect([countChosen(all), countChoosable(UNITS), countChosen(chooseNone(UNITS))]).toEqual([5, 5, 0]);
    const two = toggleHunk(all, 0, 2);
    expect(UNITS.map((_, at) => howMuch(two, UNITS, at))).toEqual(["some", "all", "all"]);
    const none = toggleFile(toggleFile(two, UNITS, 0), UNITS, 0);
    expect(UNITS.map((_, at) => howMuch(none, UNITS, at))).toEqual(["none", "all", "all"]);
  });

  it("says it to the daemon: a whole file without numbers, a part with them", () => {
    expect(toChosenFiles(toggleHunk(chooseAll(UNITS), 0, 2), UNITS)).toEqual([
      { path: "a.py", hunks: [1, 3] },
      { path: "moved.py" },
      { path: "gone.py", hunks: [2] },
    ]);
    expect(toChosenFiles(chooseNone(UNITS), UNITS)).toEqual([]);
  });

  it("knows when nothing is left out, so that the diff itself can be applied", () => {
    const whole = UNITS.slice(0, 2);
    expect(isEverything(chooseAll(whole), whole)).toBe(true);
    expect(isEverything(toggleHunk(chooseAll(whole), 0, 1), whole)).toBe(false);
    expect(isEverything(chooseAll(UNITS), UNITS)).toBe(false);
  });
});

describe("a review", () => {
  const reviewed = {
    path: "old.py",
    moved_to: "new.py",
    kind: "rename" as const,
    additions: 1,
    deletions: 1,
    hunks: [
      { ...hunk(1, 1, 1, ["-a", "+b"]) },
      { ...hunk(2, 9, 9, ["-c", "+d"]), there: false, why: "it was changed" },
    ],
  };

  it("keeps the daemon's numbers and offers only what is still there", () => {
    const file = toDiffFile(reviewed);
    expect([file.path, file.source, file.hunks.map((hunk) => hunk.number)]).toEqual([
      "new.py",
      "old.py",
      [1, 2],
    ]);
    expect(reviewUnit(reviewed)).toEqual({ path: "old.py", hunks: [1], isPartial: true });
  });

  it("names a plan's files as the plan does", () => {
    const plan: PreparedFile = { path: "x\u202e", kind: "update", additions: 1, deletions: 1 };
    const files = toPreparedFiles([{ ...plan, hunks: [hunk(1, 1, 1, ["-a", "+b"])] }]);
    expect(previewUnits(files)).toEqual([{ path: "x\u202e", hunks: [1], isPartial: false }]);
  });
});

describe("comments", () => {
  const file = toDiffFile({
    path: "old.py",
    moved_to: "new.py",
    kind: "rename",
    additions: 1,
    deletions: 1,
    hunks: [hunk(1, 3, 7, [" same", "-a", "+b"])],
  });
  const places = (file.hunks[0]?.lines ?? []).map((line) =>
    commentAt({ file, hunk: file.hunks[0] as never, line }),
  );

  it("stand on lines of the file after, or before where the line is gone", () => {
    expect(places).toEqual([
      { path: "new.py", line: 7, side: "after", text: "", quote: "same" },
      { path: "old.py", line: 4, side: "before", text: "", quote: "a" },
      { path: "new.py", line: 8, side: "after", text: "", quote: "b" },
    ]);
  });

  it("are one per line, rewritten, removed, and sent in order without the empty ones", () => {
    const [first, second, third] = places;
    if (!first || !second || !third) throw new Error("three places");
    let all = put(put([], { ...third, text: "later" }), { ...first, text: "x" });
    all = put(put(all, { ...first, text: "first" }), second);
    expect(written(all).map((one) => one.text)).toEqual(["first", "later"]);
    expect(find(remove(all, third), third)).toBeUndefined();
  });

  it("have a ceiling", () => {
    const many = Array.from({ length: MAX_COMMENTS + 5 }, (_, i) => ({ path: "p", line: i + 1, text: "t" }));
    expect(many.reduce(put, [] as ReturnType<typeof put>).length).toBe(MAX_COMMENTS);
  });

  it("are kept per review, and nothing broken is read", () => {
    const draft = { text: "hello", comments: [{ path: "p", line: 1, text: "t" }] };
    const stored = saveDraft(saveDraft(undefined, "s/1", draft), "s/2", { ...draft, text: "two" });
    expect([loadDraft(stored, "s/1"), loadDraft(stored, "s/2").text]).toEqual([draft, "two"]);
    expect(loadDraft(saveDraft(stored, "s/1", NO_DRAFT), "s/1")).toEqual(NO_DRAFT);
    for (const broken of ["{", "7", '[["s/1",{"text":1}]]', '[["s/1",{"text":"","comments":[null]}]]']) {
      expect(loadDraft(broken, "s/1")).toEqual(NO_DRAFT);
    }
  });
});

describe("the question of an apply", () => {
  const ask = (edit: string, plan: string): Ask => ({
    id: "k",
    title: "Write these files?",
    subject: { about: "files", files: [] },
    choices: [{ id: "yes", label: "Yes", grants: true }],
    plan,
    edit,
  });

  it("is that of this edit, with its plan, and no other", () => {
    expect(isOurs(ask("diff-1", "aa"), "diff-1")).toBe(true);
    expect(isOurs(ask("diff-2", "aa"), "diff-1")).toBe(false);
    expect(isOurs(ask("", "aa"), "")).toBe(false);
    expect(isOurs(ask("diff-1", ""), "diff-1")).toBe(false);
  });

  it("ends in words that tell written, reverted, not written, failed and undone apart", () => {
    const written = (status: "ok" | "rejected" | "error") => ({ status, summary: "s" });
    const texts = [
      tell({ state: "ended", action: "write", written: written("ok") }),
      tell({ state: "ended", action: "revert", written: written("ok") }),
      tell({ state: "ended", action: "undo", written: written("ok") }),
      tell({ state: "ended", action: "write", written: written("rejected") }),
      tell({ state: "ended", action: "undo", written: written("error") }),
      tell({ state: "failed", why: "w" }),
    ];
    expect(new Set(texts).size).toBe(6);
    expect([tell({ state: "idle" }), levelOf({ state: "failed", why: "" })]).toEqual(["", "error"]);
  });
});
