import { expect, it } from "vitest";
import { cleanPaste, pressesEnter } from "./paste";

it("leaves text, tabs and newlines, and takes every other control character out", () => {
  expect(cleanPaste("a\tb\r\nc\rd\n猫")).toEqual({ text: "a\tb\nc\nd\n猫", removed: 0 });
  expect(cleanPaste("echo x\u001b[201~\rtouch y\r")).toEqual({ text: "echo x[201~\ntouch y\n", removed: 1 });
  expect(cleanPaste("\u0000\u0003\u000b\u007f\u0085\u009b201~x")).toEqual({ text: "201~x", removed: 6 });
});

it("knows what would press Enter", () => {
  expect([pressesEnter("ls"), pressesEnter("ls\n")]).toEqual([false, true]);
});
