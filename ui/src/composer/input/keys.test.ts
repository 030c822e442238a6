import { expect, it } from "vitest";
import { type KeyContext, meaningOf, type Pressed } from "./keys";

const REST: KeyContext = { popup: false, busy: false, steers: true, caret: { start: 0, end: 0 } };
const BUSY: KeyContext = { ...REST, busy: true };
const POPUP: KeyContext = { ...BUSY, popup: true };

function press(key: string, around: KeyContext, more: Partial<Pressed> = {}): string {
  const plain = {
    keyCode: 0,
    isComposing: false,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
  };
  const meaning = meaningOf({ key, ...plain, ...more }, around);
  return "by" in meaning ? `${meaning.do} ${meaning.by}` : meaning.do;
}

it.each([
  ["Enter", REST, {}, "send"],
  ["Enter", BUSY, {}, "send"],
  ["Enter", REST, { shiftKey: true }, "nothing"],
  ["Enter", BUSY, { ctrlKey: true }, "steer"],
  ["Enter", BUSY, { metaKey: true }, "steer"],
  ["Enter", REST, { ctrlKey: true }, "send"],
  ["Enter", POPUP, {}, "choose"],
  ["Enter", POPUP, { shiftKey: true }, "nothing"],
  ["Enter", POPUP, { ctrlKey: true }, "steer"],
  ["Tab", POPUP, {}, "choose"],
  ["Tab", REST, {}, "nothing"],
  ["Escape", POPUP, {}, "closePopup"],
  ["Escape", BUSY, {}, "interrupt"],
  ["Escape", REST, {}, "nothing"],
  ["ArrowUp", POPUP, {}, "point -1"],
  ["ArrowDown", POPUP, {}, "point 1"],
  ["ArrowUp", REST, {}, "walk -1"],
  ["ArrowDown", REST, {}, "walk 1"],
  ["ArrowUp", { ...REST, caret: { start: 3, end: 3 } }, {}, "nothing"],
  ["ArrowUp", { ...REST, caret: { start: 0, end: 3 } }, {}, "nothing"],
  ["ArrowUp", REST, { shiftKey: true }, "nothing"],
  ["a", REST, {}, "nothing"],
] as const)("%s in %o with %o is %s", (key, around, more, meaning) => {
  expect(press(key, around, more)).toBe(meaning);
});

it.each(["Enter", "Escape", "ArrowUp", "Tab"])(
  "%s belongs to the input method while that composes",
  (key) => {
    for (const around of [REST, BUSY, POPUP]) {
      expect(press(key, around, { isComposing: true })).toBe("nothing");
      expect(press(key, around, { keyCode: 229 })).toBe("nothing");
    }
  },
);

it("waits in the queue where the agent takes no words during a run", () => {
  const plain = {
    keyCode: 0,
    isComposing: false,
    shiftKey: false,
    ctrlKey: true,
    metaKey: false,
    altKey: false,
  };
  expect(meaningOf({ key: "Enter", ...plain }, BUSY)).toEqual({ do: "steer" });
  expect(meaningOf({ key: "Enter", ...plain }, { ...BUSY, steers: false })).toEqual({ do: "send" });
});
