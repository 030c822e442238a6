import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Choice } from "../../../ui/src/model.gen";
import { detailOf, fitsDialog, makeButtons, type Words } from "./wording";

const WORDS: Words = {
  requestedBy: (user, via) => `for ${user} via ${via}`,
  folder: (path) => `in ${path}`,
  plan: (hash) => `plan ${hash}`,
  more: (count) => `and ${count} more`,
};
const CHOICES: Choice[] = [
  { id: "accept", label: "Yes, once", grants: true },
  { id: "decline", label: "No", grants: false },
  { id: "cancel", label: "No, and stop", grants: false },
];
const ask = (subject: Ask["subject"], more: Partial<Ask> = {}): Ask => ({
  id: "a",
  title: "?",
  subject,
  choices: CHOICES,
  ...more,
});
const file = (path: string) => ({ path, change: "update" as const, additions: 2, deletions: 1 });

test("files are named with what changes, and the yes with its plan", () => {
  const asked = ask(
    { about: "files", files: [file("a.py")] },
    { plan: "0123456789abcdef", reason: "because" },
  );
  assert.equal(detailOf(asked, "/p", WORDS), "a.py (update) +2 −1\nin /p\nbecause\nplan 0123456789ab");
});

test("a long list ends in a count", () => {
  const files = Array.from({ length: 18 }, (_, at) => file(`${at}.py`));
  assert.equal(
    detailOf(ask({ about: "files", files }), "", WORDS)
      .split("\n")
      .at(-1),
    "and 3 more",
  );
});

test("a command comes with its folder and who wants it", () => {
  const sender = { from: "remote" as const, user: "li", command_id: "1", via: "WeCom" };
  const asked = ask({ about: "command", command: "make test", original: "make test", cwd: "/p" }, { sender });
  assert.equal(detailOf(asked, "", WORDS), "for li via WeCom\n$ make test\nin /p");
});

test("the first button, which Enter presses, answers nothing, and closing means the plain no", () => {
  const buttons = makeButtons(CHOICES, "Show");
  assert.deepEqual(
    buttons.map((one) => [one.title, one.choice?.id, one.isCloseAffordance ?? false]),
    [
      ["Show", undefined, false],
      ["Yes, once", "accept", false],
      ["No", "decline", true],
    ],
  );
});

test("questions and trust are answered on the page", () => {
  assert.equal(fitsDialog(ask({ about: "questions", questions: [] })), false);
  assert.equal(fitsDialog(ask({ about: "trust", folder: "/p", findings: [] })), false);
  assert.equal(fitsDialog(ask({ about: "action", text: "x" })), true);
});
