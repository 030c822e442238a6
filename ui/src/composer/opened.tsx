// An open composer for tests, and the hands that type and press in it.
import { createRoot, createSignal } from "solid-js";
import type { RunStartParams } from "../model.gen";
import type { Mirror } from "../state/room";
import { makeMirror, mount } from "../text/test_room";
import { Composer } from "./composer";
import { makeUnderway } from "./sending/underway";
import { type ComposerRoom, type Daemon, makeComposerRoom } from "./test_room";

const ends: (() => void)[] = [];

/// Takes away all that was opened.
export function closeAll(): void {
  for (const end of ends.splice(0)) end();
}

const COMMANDS = {
  commands: ["/new", "/diff", "/rename", "/help"].map((name) => ({ name, argument: "", doc: "does it" })),
};

export function open(daemon: Daemon = {}, kept?: Map<string, string>) {
  const testRoom = makeComposerRoom({ "commands.list": () => COMMANDS, ...daemon }, kept);
  const mirror = makeMirror([]);
  testRoom.setMirror(mirror);
  const [shown, setShown] = createSignal<Mirror>(mirror);
  let resumed = 0;
  const underway = createRoot((end) => {
    ends.push(end);
    return makeUnderway(testRoom.room);
  });
  const { root, end } = mount(testRoom, () => (
    <Composer mirror={shown()} underway={underway} onResume={() => (resumed += 1)} />
  ));
  ends.push(end);
  const input = root.querySelector("textarea") as HTMLTextAreaElement;
  input.focus();
  return { testRoom, mirror, setShown, root, input, resumed: () => resumed };
}

export function type(input: HTMLTextAreaElement, text: string): void {
  input.value = text;
  input.setSelectionRange(text.length, text.length);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

export function press(input: HTMLElement, key: string, more: KeyboardEventInit = {}): boolean {
  return !input.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
  );
}

export const settle = () => new Promise((done) => setTimeout(done));
export const starts = (testRoom: ComposerRoom) => testRoom.calls("run.start") as RunStartParams[];
export const options = (root: HTMLElement) =>
  [...root.querySelectorAll('[role="option"] > :first-child')].map((one) => one.textContent);
export const button = (root: HTMLElement, name: string) =>
  [...root.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
