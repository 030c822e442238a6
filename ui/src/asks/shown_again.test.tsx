import { expect, it, vi } from "vitest";
import { SETTLE_MS } from "../frame/guard";
import type { Ask } from "../model.gen";
import { makeMirror, makeTestRoom, mount } from "../text/test_room";
import { Asks } from "./asks";

const ASK: Ask = {
  id: "a1",
  title: "Run this command?",
  subject: { about: "command", command: "ls", original: "ls" },
  choices: [{ id: "accept", label: "Yes, once", grants: true }],
};

it("takes a changed question for a new one, and says which of the two it answers", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const testRoom = makeTestRoom({ "ask.answer": { ok: true } });
  const mirror = makeMirror([]);
  mirror.setHead({ asks: [ASK] });
  const { root, end } = mount(testRoom, () => <Asks mirror={mirror} />);
  const yes = () => root.querySelector<HTMLButtonElement>(".asks-choice button")?.click();
  const answers = () => testRoom.asked.filter((one) => one.what === "ask.answer").map((one) => one.with[0]);

  vi.advanceTimersByTime(SETTLE_MS);
  mirror.setHead({ asks: [{ ...ASK, shown: 1 }] });
  yes();
  expect(answers()).toEqual([]);
  vi.advanceTimersByTime(SETTLE_MS);
  yes();
  expect(answers()).toEqual([{ session_id: "s1", ask_id: "a1", shown: 1, choice: "accept" }]);
  end();
  vi.useRealTimers();
});
