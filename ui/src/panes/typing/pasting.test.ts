import { afterEach, expect, it, vi } from "vitest";
import type { Pane } from "../../model.gen";
import { makeTestRoom } from "../../text/test_room";
import type { Term } from "../xterm";
import { makePaneTyping } from "./pane_typing";
import { makePasting } from "./pasting";

const PANE = { pane_id: "p1", state: "running", typing: "" } as Pane;
afterEach(() => void vi.unstubAllGlobals());

const bytes = (text: string) => new TextEncoder().encode(text);

function open(clipboard: string, isBracketed: boolean) {
  let give!: () => void;
  const read = new Promise<string>((resolve) => {
    give = () => resolve(clipboard);
  });
  vi.stubGlobal("navigator", { clipboard: { readText: () => read } });
  const testRoom = makeTestRoom({ "pane.write": { ok: true }, "pane.drive": { ok: true } });
  const typing = makePaneTyping(testRoom.room, () => PANE);
  const xterm = {
    modes: { bracketedPasteMode: isBracketed },
    focus: () => undefined,
    paste: (text: string) => typing.press(bytes(text)),
  };
  const pasting = makePasting(testRoom.room, () => ({ xterm }) as unknown as Term, typing);
  const typed = () =>
    testRoom.asked
      .filter((one) => one.what === "pane.write")
      .map((one) => atob((one.with[0] as { data: string }).data))
      .join("");
  return { typing, pasting, give, typed };
}

it("types what is pressed while the clipboard is read after the paste", async () => {
  const { typing, pasting, give, typed } = open("echo hello", true);
  const pasted = pasting.fromClipboard();
  typing.press(bytes("\r"));
  expect(typed()).toBe("");
  give();
  await pasted;
  await vi.waitFor(() => expect(typed()).toBe("echo hello\r"));
});

it("presses no Enter into a question about the paste, nor into the shell before it", async () => {
  const { typing, pasting, give, typed } = open("rm -rf .\n", false);
  const pasted = pasting.fromClipboard();
  typing.press(bytes("\r"));
  give();
  await pasted;
  expect(pasting.waiting()).toBe("rm -rf .\n");
  expect(typed()).toBe("");
});
