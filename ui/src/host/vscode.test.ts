// The webview's side, before an extension that a test holds in its hand.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isInEditor, makeVscodeHost } from "./vscode";
import { START_ID, type Start, type ToEditor, type ToPage } from "./vscode_messages";

const START: Start = {
  workspace: "/home/me/project",
  languages: ["ja"],
  stored: { kept: "before" },
  fileBase: "https://files.example",
};

let said: ToEditor[];

function open(start: Start = START) {
  const place = document.createElement("script");
  place.id = START_ID;
  place.type = "application/json";
  place.textContent = JSON.stringify(start);
  document.body.append(place);
  return makeVscodeHost();
}

function say(message: ToPage) {
  window.dispatchEvent(new MessageEvent("message", { data: message }));
}

beforeEach(() => {
  said = [];
  let state: { shown?: string } | undefined;
  vi.stubGlobal("acquireVsCodeApi", () => ({
    postMessage: (message: ToEditor) => said.push(message),
    getState: () => state,
    setState: (next: { shown?: string }) => {
      state = next;
    },
  }));
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.getElementById(START_ID)?.remove();
});

it("knows where it is", () => {
  expect(isInEditor()).toBe(true);
  vi.unstubAllGlobals();
  expect(isInEditor()).toBe(false);
});

describe("the connection", () => {
  it("is the extension's, and carries frames both ways", () => {
    const wire = open().connect();
    const heard: string[] = [];
    wire.onopen = () => heard.push("open");
    wire.onmessage = (event) => heard.push(String(event.data));
    wire.onclose = () => heard.push("closed");
    say({ type: "opened", wire: 1 });
    wire.send("{}");
    say({ type: "frame", wire: 1, frame: "[1]" });
    say({ type: "closed", wire: 1, why: "" });
    expect(heard).toEqual(["open", "[1]", "closed"]);
    expect(said).toEqual([
      { type: "connect", wire: 1 },
      { type: "send", wire: 1, frame: "{}" },
    ]);
  });

  it("does not hear a late word of the one before", async () => {
    const host = open();
    const first = host.connect();
    const second = host.connect();
    const heard: string[] = [];
    first.onmessage = second.onmessage = (event) => heard.push(String(event.data));
    say({ type: "frame", wire: 1, frame: "late" });
    say({ type: "frame", wire: 2, frame: "now" });
    say({ type: "closed", wire: 2, why: "bascule is not installed" });
    expect(heard).toEqual(["now"]);
    expect(await host.whyClosed()).toBe("bascule is not installed");
  });

  it("offers the step that the editor names, and asks for it without a word of its own", () => {
    const host = open();
    host.connect();
    expect(host.nextStep?.()).toBeUndefined();
    say({ type: "closed", wire: 1, why: "not trusted", step: "Manage Workspace Trust" });
    const step = host.nextStep?.();
    expect(step?.label).toBe("Manage Workspace Trust");
    step?.act();
    expect(said.at(-1)).toEqual({ type: "step" });
    host.connect();
    say({ type: "closed", wire: 2, why: "" });
    expect(host.nextStep?.()).toBeUndefined();
  });
});

it("keeps what is stored with the extension, and hears what other pages store", () => {
  const host = open();
  host.save("mine", "1");
  say({ type: "stored", key: "theirs", value: "2" });
  expect(["kept", "mine", "theirs", "none"].map((key) => host.load(key))).toEqual(["before", "1", "2", null]);
  expect(said).toEqual([{ type: "save", key: "mine", value: "1" }]);
});

it("shows the session of its tab, or what it showed before", () => {
  const host = open();
  expect([host.address(), host.shown(), host.takeArrival()]).toEqual([
    undefined,
    undefined,
    "/home/me/project",
  ]);
  host.keepShown("s1");
  expect(host.shown()).toBe("s1");
  document.getElementById(START_ID)?.remove();
  const tab = open({ ...START, session: "s2" });
  expect([tab.address(), tab.takeArrival()]).toEqual([{ session: "s2" }, ""]);
});

it("leaves files and diffs to the editor", () => {
  const host = open();
  const diff = { session: "s1", diffId: "d1", title: "A diff" };
  expect(host.openDiff({ session: "s1", title: "a.py", files: [] })).toBe(false); // of one block: the page shows it
  expect(host.openFile({ path: "a.py", line: 3 }, "/p")).toBe(true);
  expect(host.openDiff(diff)).toBe(true);
  expect(said).toEqual([
    { type: "openFile", workspace: "/p", place: { path: "a.py", line: 3 } },
    { type: "openDiff", diff },
  ]);
});

it("tells the editor that somebody works in the page, which neither the focus nor a key for the palette says", () => {
  open();
  window.dispatchEvent(new FocusEvent("focus"));
  for (const keys of [{ key: "F1" }, { key: "P", ctrlKey: true, shiftKey: true }, { key: "Shift" }])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { ...keys, bubbles: true }));
  expect(said).not.toContainEqual({ type: "used" });
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
  expect(said).toContainEqual({ type: "used" });
});

it("addresses files through the webview, whatever their names hold", () => {
  const url = (path: string) => open().fileUrl({ file_id: "f", path, name: "", size: 1, media_type: "" });
  expect(url("/home/me/a b#1?.png")).toBe("https://files.example/home/me/a%20b%231%3F.png");
});

it("stands still where the editor does, also later on", async () => {
  open().setTheme("system");
  const isStill = () => document.documentElement.hasAttribute("data-still");
  expect(isStill()).toBe(false);
  document.body.classList.add("vscode-reduce-motion");
  await vi.waitFor(() => expect(isStill()).toBe(true));
  document.body.classList.remove("vscode-reduce-motion");
  await vi.waitFor(() => expect(isStill()).toBe(false));
});

it.each([
  ["vscode-light", "light", false],
  ["vscode-dark", "dark", false],
  ["vscode-high-contrast", "dark", true],
  ["vscode-high-contrast-light", "light", true],
])("follows the editor's theme: %s", (kind, theme, contrast) => {
  document.body.dataset.vscodeThemeKind = kind;
  open().setTheme("system");
  expect(document.documentElement.dataset.theme).toBe(theme);
  expect(document.documentElement.hasAttribute("data-contrast")).toBe(contrast);
  document.documentElement.removeAttribute("data-contrast");
  delete document.documentElement.dataset.theme;
  delete document.body.dataset.vscodeThemeKind;
});
