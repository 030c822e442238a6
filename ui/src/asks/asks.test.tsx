import { createSignal } from "solid-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SETTLE_MS } from "../frame/dialogs/guard";
import type { AnswerParams, Ask, WaitingAsk } from "../model.gen";
import { makeMirror, makeTestRoom, mount } from "../text/test_room";
import { Asks } from "./asks";
import { Inbox } from "./inbox/inbox";

const COMMAND: Ask = {
  id: "a1",
  title: "Run this command?",
  reason: "needs the network",
  subject: { about: "command", command: "curl \u202eexample", original: "bash -lc 'curl'", cwd: "/home/me" },
  choices: [
    { id: "accept", label: "Yes, once", grants: true },
    { id: "always", label: "Yes, and always", grants: true, rule: "allow commands that begin with: curl" },
    { id: "decline", label: "No, go on without it", grants: false },
  ],
};

const QUESTION: Ask = {
  id: "a2",
  title: "The agent has a question",
  subject: {
    about: "questions",
    url: "https://login.example/x",
    questions: [
      { id: "q1", text: "Which?", options: [{ label: "red" }, { label: "blue" }] },
      { id: "q2", text: "How many?", type: "integer", free_text: true },
      { id: "q3", text: "Token?", secret: true, free_text: true },
    ],
  },
  choices: [
    { id: "answer", label: "Answer", grants: true },
    { id: "decline", label: "No", grants: false },
  ],
};

const ends: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  for (const end of ends.splice(0)) end();
});

const settle = () => vi.advanceTimersByTime(SETTLE_MS);

function open(asks: Ask[]) {
  const testRoom = makeTestRoom({ "ask.answer": { ok: true } });
  const mirror = makeMirror([]);
  mirror.setHead({ asks });
  let emptied = 0;
  const { root, end } = mount(testRoom, () => <Asks mirror={mirror} onEmptied={() => (emptied += 1)} />);
  ends.push(end);
  const answers = () =>
    testRoom.asked.filter((one) => one.what === "ask.answer").map((one) => one.with[0] as AnswerParams);
  return { testRoom, mirror, root, answers, emptied: () => emptied };
}

const click = (root: Element, name: string) => {
  const found = [...root.querySelectorAll("button")].find((one) => one.textContent?.startsWith(name));
  if (!found) throw new Error(`no button ${name}`);
  found.click();
};
const cards = (root: Element) => [...root.querySelectorAll<HTMLElement>(".asks-card")];
const press = (element: Element, key: string) =>
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
function write(field: Element | null, text: string): void {
  (field as HTMLInputElement).value = text;
  field?.dispatchEvent(new Event("input", { bubbles: true }));
}

function giveReason(card: HTMLElement, text: string): Element {
  click(card, "Add a reason");
  const field = card.querySelector(".asks-reason textarea") as Element;
  write(field, text);
  return field;
}

it("shows what is asked, why, and exactly what may be answered, with the rule of a lasting yes", () => {
  const { root } = open([COMMAND]);
  const text = root.querySelector(".asks-card")?.textContent ?? "";
  for (const part of [
    "Run this command?",
    "needs the network",
    "curl <U+202E>example",
    "bash -lc 'curl'",
    "/home/me",
  ])
    expect(text).toContain(part);
  const buttons = [...root.querySelectorAll(".asks-choice button")].map((one) =>
    [...one.childNodes]
      .filter((node) => node.nodeName !== "SPAN")
      .map((node) => node.textContent)
      .join(""),
  );
  expect(buttons).toEqual(["Yes, once", "Yes, and always", "No, go on without it"]);
  expect(root.querySelector(".asks-rule")?.textContent).toBe(
    "Yes, and always: allow commands that begin with: curl",
  );
});

it("takes no answer while it has only just appeared", () => {
  const { root, answers } = open([COMMAND]);
  click(root, "Yes, once");
  vi.advanceTimersByTime(SETTLE_MS - 1);
  press(cards(root)[0] as Element, "y");
  expect(answers()).toEqual([]);
  vi.advanceTimersByTime(1);
  click(root, "Yes, once");
  click(root, "Yes, and always"); // already answered
  expect(answers()).toEqual([{ session_id: "s1", ask_id: "a1", choice: "accept" }]);
});

it("does not take the focus, and hears y and n only on the card itself", () => {
  const { root, answers } = open([COMMAND]);
  expect(root.contains(document.activeElement)).toBe(false);
  settle();
  const card = cards(root)[0] as HTMLElement;
  press(document.body, "y");
  press(giveReason(card, ""), "y");
  press(card, "Enter");
  expect(answers()).toEqual([]);
  press(card, "n");
  expect(answers()).toEqual([{ session_id: "s1", ask_id: "a1", choice: "decline" }]);
});

it("sends a reason with a no, and none with a yes", async () => {
  const { root, answers } = open([COMMAND, { ...COMMAND, id: "a9" }]);
  settle();
  const [first, second] = cards(root) as [HTMLElement, HTMLElement];
  for (const card of [first, second]) giveReason(card, "use the mirror");
  click(first, "No");
  click(second, "Yes, once");
  expect(answers().map((one) => one.reason)).toEqual(["use the mirror", undefined]);
});

it("asks for what is missing, and sends every kind of answer", () => {
  const { root, answers, testRoom } = open([QUESTION]);
  settle();
  click(root, "Answer");
  expect([answers(), root.querySelectorAll(".asks-problem").length]).toEqual([[], 3]);
  (root.querySelectorAll('input[type="radio"]')[1] as HTMLInputElement).click();
  write(root.querySelector('input[inputmode="numeric"]'), "many");
  write(root.querySelector('input[type="password"]'), "secret");
  click(root, "Answer");
  expect(root.querySelector(".asks-problem")?.textContent).toBe("Enter a whole number.");
  write(root.querySelector('input[inputmode="numeric"]'), "3");
  click(root, "Open in browser");
  click(root, "Answer");
  expect(testRoom.asked.find((one) => one.what === "openExternal")?.with).toEqual([
    "https://login.example/x",
  ]);
  expect(answers()).toEqual([
    {
      session_id: "s1",
      ask_id: "a2",
      choice: "answer",
      answers: { q1: ["blue"], q2: ["3"], q3: ["secret"] },
    },
  ]);
});

it("keeps what was typed when something else of the session changes", () => {
  const { root, mirror } = open([QUESTION]);
  const field = root.querySelector('input[type="password"]');
  write(field, "secret");
  mirror.setHead({ asks: [structuredClone(QUESTION)], status: "working" });
  expect(root.querySelector('input[type="password"]')).toBe(field);
  expect((field as HTMLInputElement).value).toBe("secret");
});

it("goes away when it is answered elsewhere, and the focus is not lost", async () => {
  const { root, mirror, emptied } = open([COMMAND, { ...COMMAND, id: "a9" }]);
  cards(root)[0]?.focus();
  mirror.setHead({ asks: [{ ...COMMAND, id: "a9" }] });
  await Promise.resolve();
  expect(cards(root).map((card) => card === document.activeElement)).toEqual([true]);
  mirror.setHead({ asks: [] });
  await Promise.resolve();
  expect([cards(root).length, emptied()]).toEqual([0, 1]);
});

it("shows permissions, files and what would be granted beyond", () => {
  const files: Ask = {
    ...COMMAND,
    subject: {
      about: "files",
      files: [{ path: "a.py", change: "add", additions: 3 }],
      grant_root: "/home/me",
    },
  };
  const wants: Ask = {
    ...COMMAND,
    id: "a3",
    subject: {
      about: "permissions",
      wants: ["write /srv"],
      cwd: "/home",
      links: [{ path: "/srv", real: "/etc", is_outside: true }],
    },
  };
  const { root } = open([files, wants]);
  expect(cards(root)[0]?.textContent).toContain("a.py +3From");
  expect(cards(root)[0]?.textContent).toContain("everything under /home/me");
  expect(cards(root)[1]?.textContent).toContain("write /srv");
  expect(cards(root)[1]?.textContent).toContain("/srv leads to /etc (outside this folder)");
});

it("counts the Asks of other sessions, answers them and leads to them", async () => {
  const testRoom = makeTestRoom({ "ask.answer": { ok: true } });
  const [inbox, setInbox] = createSignal<readonly WaitingAsk[]>([
    { session_id: "s1", title: "here", ask: COMMAND },
    { session_id: "s2", title: "there", ask: COMMAND },
  ]);
  Object.assign(testRoom.room, { inbox, active: () => "s1" });
  const { root, end } = mount(testRoom, () => <Inbox />);
  ends.push(end);
  const button = root.querySelector("button") as HTMLElement;
  expect(button.getAttribute("aria-label")).toBe("Waiting in other sessions: 1");
  button.click();
  await vi.waitFor(() => expect(cards(root)).toHaveLength(1)); // loaded when it is first opened
  settle();
  click(root, "Yes, once");
  expect(testRoom.asked.at(-1)).toEqual({
    what: "ask.answer",
    with: [{ session_id: "s2", ask_id: "a1", choice: "accept" }],
  });
  click(root, "Go to there");
  expect(testRoom.asked.at(-1)).toEqual({ what: "activate", with: ["s2"] });
  setInbox([]);
  expect(root.textContent).toBe("");
});

it("says whether a command leaves the sandbox, and where links lead", () => {
  const command = { about: "command" as const, command: "ls", original: "ls", sandbox: "unknown" as const };
  const files = {
    about: "files" as const,
    files: [{ path: "cfg/x.sh", change: "add" as const }],
    more: 2,
    mixed: true,
    links: [{ path: "cfg/x.sh", real: "/home/me/.ssh/x.sh", is_outside: true }],
  };
  const { root } = open([
    { ...COMMAND, subject: command },
    { ...COMMAND, id: "a9", subject: files },
  ]);
  expect(root.textContent).toContain("It may leave the sandbox: the agent doesn't say.");
  expect(root.textContent).toContain("cfg/x.sh leads to /home/me/.ssh/x.sh (outside this folder)");
  expect(root.textContent).toContain("2 more files are not listed");
  expect(root.textContent).toContain("These files are inside and outside of the folder.");
});

it("says why there is no yes to a path that leads each process elsewhere", () => {
  const real = "/proc/self/cwd/a";
  const links = [{ path: "a", real, is_outside: true }];
  const subjects: Ask["subject"][] = [
    { about: "command", command: "ls", original: "ls", cwd: "/w/a", real_cwd: real, per_process: true },
    { about: "files", files: [{ path: "a", change: "add" }], links, per_process: true },
    { about: "permissions", wants: ["write a"], links, per_process: true },
  ];
  const no = COMMAND.choices.filter((choice) => !choice.grants);
  const { root } = open(subjects.map((subject, at) => ({ ...COMMAND, id: `a${at}`, subject, choices: no })));
  for (const card of cards(root))
    expect(card.textContent).toContain("A path here leads each program to a different place");
});

it("takes no yes to a change that cannot be drawn whole", async () => {
  const files = (line: string): Ask => ({
    ...COMMAND,
    id: `f${line.length}`,
    subject: {
      about: "files",
      files: [
        {
          path: "a.py",
          change: "add",
          additions: 1,
          diff: `--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+${line}\n`,
        },
      ],
    },
  });
  await import("../diff/diff_view"); // which a card loads by itself, in its own time
  const { root, answers } = open([files("x".repeat(100_001)), files("x")]);
  await vi.waitFor(() => expect(root.querySelectorAll(".diff-scroll").length).toBe(2));
  settle();
  const [endless, short] = cards(root) as [HTMLElement, HTMLElement];
  click(endless, "Yes, once");
  click(short, "Yes, once");
  expect(answers().map((one) => one.ask_id)).toEqual(["f1"]);
});
