// An Ask among several, as on Home: short, and its keys heard from anywhere where it is the first.
import { afterEach, expect, it } from "vitest";
import type { Ask } from "../model.gen";
import { makeTestRoom, mount } from "../text/test_room";
import { AskCard } from "./ask_card";

const COMMAND: Ask = {
  id: "a1",
  title: "Run this command?",
  subject: { about: "command", command: "curl x", original: "bash -lc 'curl x'", sandbox: "outside" },
  choices: [{ id: "decline", label: "No", grants: false }],
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
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function open(ask: Ask, isFirst: boolean) {
  const testRoom = makeTestRoom({ "ask.answer": { ok: true } });
  const guard = { isSettled: () => true };
  const { root, end } = mount(testRoom, () => (
    <AskCard session="s1" ask={ask} guard={guard} heading="h3" compact isFirst={isFirst} />
  ));
  ends.push(end);
  const press = (key: string) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return { root, press, asked: testRoom.asked };
}

it("opens its form on demand, and a yes without it answers nothing", () => {
  const { root, press, asked } = open(QUESTION, true);
  expect(root.textContent).toContain("Which? and 2 more");
  expect(root.querySelector("input")).toBeNull();
  press("y"); // the first one hears its keys wherever nothing else does
  expect([root.querySelectorAll("input").length > 0, asked]).toEqual([true, []]);
});

it.each([
  [true, 1],
  [false, 0],
])("hears its keys from elsewhere where it is the first: %s", (isFirst, count) => {
  const { press, asked } = open(COMMAND, isFirst);
  press("n");
  expect(asked.length).toBe(count);
});

it.each([
  [-400, -100, 0],
  [9_000, 9_300, 0],
  [-20, 200, 0], // its title is cut off
  [-9_000, 300, 1], // higher than the window: its answers are there
  [100, 300, 1],
])("answers by key only what is in view: from %i to %i", (top, bottom, count) => {
  const { root, press, asked } = open(COMMAND, true);
  const card = root.querySelector<HTMLElement>(".asks-card") as HTMLElement;
  card.getBoundingClientRect = () => new DOMRect(0, top, 300, bottom - top);
  press("n");
  expect([asked.length, document.activeElement === card]).toEqual([count, count === 0]); // or it leads there
});

it("says in its first line that a command runs outside the sandbox", () => {
  const { root } = open(COMMAND, true);
  expect(root.querySelector("textarea")).toBeNull(); // the reason of a no costs no room before it is wanted
  expect(root.querySelector(".asks-head")?.textContent).toContain("It runs outside the sandbox.");
});
