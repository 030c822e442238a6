import { expect, it } from "vitest";
import { findPageCommand, isPrompt, parseSlash } from "./slash";

it.each([
  ["/new", { name: "/new", argument: "" }],
  ["/rename  A title ", { name: "/rename", argument: "A title" }],
  ["/nonsense", { name: "/nonsense", argument: "" }],
  ["/rename\nA title", { name: "/rename", argument: "A title" }],
  ["/test\tpytest -q\n", { name: "/test", argument: "pytest -q" }],
])("%s is a command", (text, slash) => {
  expect(parseSlash(text)).toEqual(slash);
});

it.each(["hello", " /new", "say /new", "/usr/bin is full", "/help\nand more words"])(
  "%s is a prompt",
  (text) => {
    expect(parseSlash(text)).toBeUndefined();
    expect(isPrompt(text)).toBe(true);
  },
);

it("counts /plan and /patch with words as prompts, so that files go along", () => {
  expect(["/plan a way", "/patch it", "/plan\nin lines"].every(isPrompt)).toBe(true);
  expect(["/plan", "/test pytest", "/new", "/nonsense x"].some(isPrompt)).toBe(false);
});

it("carries out in the page only what a page can", () => {
  expect(findPageCommand("/diff")).toBe("diff");
  expect(findPageCommand("/resume")).toBe("resume");
  expect(findPageCommand("/rename")).toBe("rename");
  expect(findPageCommand("/rename A title")).toBeUndefined();
  expect(findPageCommand("/help")).toBeUndefined();
  expect(findPageCommand("/new")).toBeUndefined();
});
