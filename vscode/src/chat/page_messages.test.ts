import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMessage } from "./page_messages";

test("what the page says is heard as it was said", () => {
  for (const said of [
    { type: "connect", wire: 1 },
    { type: "send", wire: 1, frame: "{}" },
    { type: "save", key: "draft", value: "half a thought" },
    { type: "used" },
    { type: "openFile", workspace: "/p", place: { path: "a.py", line: 3, column: undefined } },
    { type: "openDiff", diff: { session: "s1", title: "A diff" } },
    { type: "openExternal", url: "https://example.org" },
  ])
    assert.equal(parseMessage(said), said);
});

test("anything else is not: no odd type, no object for a text, nothing without an end", () => {
  const long = "x".repeat(70_000);
  for (const said of [
    undefined,
    null,
    "connect",
    [],
    { type: "constructor" },
    { type: ["used"] },
    { type: "connect", wire: "1" },
    { type: "send", wire: 1, frame: { method: "edits.apply" } },
    { type: "save", key: long, value: "" },
    { type: "save", key: "draft", value: { length: 1 } },
    { type: "openFile", workspace: "/p", place: { path: ["/etc/passwd"] } },
    { type: "openFile", workspace: "/p", place: { path: "a.py", line: Number.NaN } },
    { type: "openFile", workspace: "/p" },
    { type: "openDiff", diff: { session: "s1", title: {} } },
    { type: "openExternal", url: long },
  ])
    assert.equal(parseMessage(said), undefined);
});
