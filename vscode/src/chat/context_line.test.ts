import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditorContext } from "../../../ui/src/host/vscode_messages";
import { ContextLine } from "./context_line";

const looksAt = (path: string): EditorContext => ({
  workspace_root: "/p",
  active_file: { path, language_id: "python" },
  selection: null,
  open_files: [path],
});

test("the editor is spoken of once the page has introduced itself, on each line anew", () => {
  const told: string[] = [];
  const line = new ContextLine((frame) => told.push(JSON.parse(frame).params.active_file.path));
  line.begin();
  line.tell(looksAt("a.py"));
  assert.deepEqual(told, []);
  line.sent("initialize");
  line.sent("session.list");
  assert.deepEqual(told, ["a.py"]);
  line.tell(looksAt("b.py"));
  line.begin();
  line.tell(looksAt("c.py"));
  assert.deepEqual(told, ["a.py", "b.py"]);
  line.sent("initialize");
  assert.deepEqual(told, ["a.py", "b.py", "c.py"]);
});

test("the list of open files stays with the page", () => {
  const frames: string[] = [];
  const line = new ContextLine((frame) => frames.push(frame));
  line.sent("initialize");
  assert.deepEqual(frames, []); // nothing is known of the editor
  line.tell(looksAt("a.py"));
  assert.deepEqual(JSON.parse(frames[0] ?? ""), {
    jsonrpc: "2.0",
    method: "ui.context.update",
    params: { workspace_root: "/p", active_file: { path: "a.py", language_id: "python" }, selection: null },
  });
});
