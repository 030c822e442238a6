import { beforeEach, expect, it } from "vitest";
import { keepStartCommand, startCommand, undoCommand } from "./start_command";

beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML = "";
});

it("is the usual one until a daemon has said another, which is kept", () => {
  expect(startCommand()).toBe("bascule up");
  keepStartCommand("bascule up --demo");
  expect(startCommand()).toBe("bascule up --demo");
  keepStartCommand(undefined); // an older daemon
  expect(startCommand()).toBe("bascule up --demo");
});

it("is what the page was served with, before anybody has signed in; the demo undoes its own edits", () => {
  expect(undoCommand()).toBe("bascule undo");
  document.head.innerHTML = '<meta name="bascule-start" content="bascule up --demo" />';
  expect(startCommand()).toBe("bascule up --demo");
  expect(undoCommand()).toBe("bascule undo --demo");
  document.head.innerHTML = '<meta name="bascule-start" content="~/venv/bin/bascule up" />'; // not on PATH
  expect(undoCommand()).toBe("~/venv/bin/bascule undo");
});
