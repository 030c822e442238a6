import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Choice } from "../../../ui/src/model.gen";
import { detailOf, fitsDialog, makeButtons, type Words } from "./wording";

const WORDS: Words = {
  requestedBy: (user, via) => `for ${user} via ${via}`,
  folder: (path) => `in ${path}`,
  plan: (hash) => `plan ${hash}`,
};
const CHOICES: Choice[] = [
  { id: "accept", label: "Yes, once", grants: true },
  { id: "decline", label: "No", grants: false },
  { id: "cancel", label: "No, and stop", grants: false },
];
const ask = (subject: Ask["subject"], more: Partial<Ask> = {}): Ask => ({
  id: "a",
  title: "?",
  by: "bascule",
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

test("a command comes with its folder and who wants it", () => {
  const sender = { from: "remote" as const, user: "li", command_id: "1", via: "WeCom" };
  const asked = ask({ about: "command", command: "make test", original: "make test", cwd: "/p" }, { sender });
  assert.equal(detailOf(asked, "", WORDS), "for li via WeCom\n$ make test\nin /p");
  assert.equal(detailOf(asked, "/p", WORDS), "for li via WeCom\n$ make test\nin /p"); // said once
  assert.equal(detailOf(asked, "/", WORDS), "for li via WeCom\n$ make test\nin /p\nin /");
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

const EDIT = { edit: "d", plan: "0123456789abcdef" };
const run = (command: string, more: object = {}) =>
  ({ about: "command", command, original: command, cwd: "/p", ...more }) as const;
const write = (files: ReturnType<typeof file>[], more: object = {}) =>
  ({ about: "files", files, ...more }) as const;

test("what Bascule asks itself and a dialog shows whole fits it", () => {
  assert.equal(fitsDialog(ask(write([file("a.py")]), EDIT)), true);
  assert.equal(fitsDialog(ask(run("make test"))), true);
  assert.equal(fitsDialog(ask({ about: "action", text: "x" })), true);
});

const sender = { from: "remote" as const, user: "li", command_id: "1", via: "WeCom" };
const link = { path: "cfg/a.py", real: "/conf/a.py", is_outside: true };
const PAGE: Record<string, Ask> = {
  "a form": ask({ about: "questions", questions: [] }),
  trust: ask({ about: "trust", folder: "/p", findings: [] }),
  "a setting": ask({ about: "setting", key: "k", old: "1", new: "2" }),
  "an agent's command": ask(run("ls"), { by: "agent" }),
  "an agent's files": ask(write([file("a.py")]), { by: "agent" }),
  "a sender's diff, which nobody here has seen": ask(write([file("a.py")]), { ...EDIT, sender }),
  "a request from another machine": ask(run("ls"), {
    outside: { from: "outside", device: "phone" } as never,
  }),
  "a path that leads elsewhere": ask(write([file("cfg/a.py")], { links: [link] }), EDIT),
  "more files than are listed": ask(write([file("a.py")], { more: 1 }), EDIT),
  "everything below a folder": ask(write([file("a.py")], { grant_root: "/p" }), EDIT),
  "sixteen files": ask(write(Array.from({ length: 16 }, (_, at) => file(`${at}`))), EDIT),
  "a hidden character": ask(write([file("Makefi\u00adle")]), EDIT),
  "a command of several lines": ask(run(`ls${"\n".repeat(300)}touch EVIL`)),
  "a command wider than the window": ask(run(`ls ${" ".repeat(400)}; touch EVIL`)),
  "a command that leaves the sandbox": ask(run("ls", { sandbox: "outside" })),
  "a command in a linked folder": ask(run("ls", { real_cwd: "/conf" })),
  "the network": ask(run("ls", { host: "example.org" })),
  "a yes with a rule": ask(run("ls"), {
    choices: [...CHOICES, { id: "always", label: "Always", grants: true, rule: "allow ls" }],
  }),
};
for (const [name, asked] of Object.entries(PAGE))
  test(`${name} is for the page`, () => assert.equal(fitsDialog(asked), false));
