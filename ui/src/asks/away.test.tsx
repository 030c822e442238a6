// Answers while nobody is at the other end.
import { createSignal } from "solid-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SETTLE_MS } from "../frame/dialogs/guard";
import type { Connection } from "../link/connection";
import type { Ask } from "../model.gen";
import { makeMirror, makeTestRoom, mount } from "../text/test_room";
import { Asks } from "./asks";

const COMMAND: Ask = {
  id: "a1",
  title: "Run this command?",
  subject: { about: "command", command: "make", original: "make", cwd: "/home/me" },
  choices: [
    { id: "accept", label: "Yes, once", grants: true },
    { id: "decline", label: "No, go on without it", grants: false },
  ],
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it("takes no answer while nobody is at the other end, says so, and takes one again afterwards", () => {
  const [connection, setConnection] = createSignal<Connection>({ state: "open" });
  const testRoom = makeTestRoom({ "ask.answer": { ok: true } });
  Object.assign(testRoom.room, { connection });
  const mirror = makeMirror([]);
  mirror.setHead({ asks: [COMMAND] });
  const { root, end } = mount(testRoom, () => <Asks mirror={mirror} onEmptied={() => undefined} />);
  const press = () => {
    const key = new KeyboardEvent("keydown", { key: "y", bubbles: true, cancelable: true });
    root.querySelector(".asks-card")?.dispatchEvent(key);
  };
  const answers = () => testRoom.asked.filter((one) => one.what === "ask.answer");
  vi.advanceTimersByTime(SETTLE_MS);
  setConnection({ state: "lost", why: "", retryAtMs: 0 });
  const choices = [...root.querySelectorAll<HTMLButtonElement>(".asks-choice button")];
  expect(choices.map((one) => one.disabled)).toEqual([true, true]);
  expect(root.textContent).toContain("Not connected to Bascule. You can answer when it is back.");
  press();
  setConnection({ state: "open" });
  expect(root.textContent).not.toContain("Not connected");
  expect(answers()).toEqual([]);
  press();
  expect(answers().map((one) => (one.with[0] as { choice: string }).choice)).toEqual(["accept"]);
  end();
});
