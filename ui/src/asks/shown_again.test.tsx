import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SETTLE_MS } from "../frame/dialogs/guard";
import type { Ask } from "../model.gen";
import { makeMirror, makeTestRoom, mount } from "../text/test_room";
import { Asks } from "./asks";

const ASK: Ask = {
  id: "a1",
  title: "Run this command?",
  subject: { about: "command", command: "ls", original: "ls" },
  choices: [{ id: "accept", label: "Yes, once", grants: true }],
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
  const { root, end } = mount(testRoom, () => <Asks mirror={mirror} />);
  ends.push(end);
  const yes = () => root.querySelector<HTMLButtonElement>(".asks-choice button")?.click();
  const answers = () => testRoom.asked.filter((one) => one.what === "ask.answer").map((one) => one.with[0]);
  return { mirror, yes, answers };
}

it("takes no answer when another card has moved under the hand", () => {
  const { mirror, yes, answers } = open([ASK, { ...ASK, id: "a9" }]);
  settle();
  mirror.setHead({ asks: [{ ...ASK, id: "a9" }] });
  yes();
  expect(answers()).toEqual([]);
});

it("takes a changed question for a new one, and says which of the two it answers", () => {
  const { mirror, yes, answers } = open([ASK]);
  settle();
  mirror.setHead({ asks: [{ ...ASK, shown: 1 }] });
  yes();
  expect(answers()).toEqual([]);
  settle();
  yes();
  expect(answers()).toEqual([{ session_id: "s1", ask_id: "a1", shown: 1, choice: "accept" }]);
});
