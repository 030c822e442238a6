import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_FRAME, parseFrame, parseWish } from "./outgoing";

const wish = (method: string, params: object, id: number | undefined = 1) =>
  parseWish({ id, method, params });

test("what writes, runs or answers is known", () => {
  assert.deepEqual(wish("edits.apply", { diff_id: "d1" }), { id: 1, does: "write", diff: "d1" });
  assert.deepEqual(wish("edits.undo", { undo_id: "u1" }), { id: 1, does: "write", diff: "u1" });
  assert.deepEqual(wish("test.run", { session_id: "s" }), { id: 1, does: "run", session: "s" });
  assert.deepEqual(wish("run.start", { session_id: "s", input: { type: "text", text: "/test make test" } }), {
    id: 1,
    does: "run",
    session: "s",
  });
  const split = { type: "text", text: "/test\nmake test" };
  assert.equal(wish("run.start", { session_id: "s", input: split })?.does, "run");
  assert.deepEqual(wish("ask.answer", { session_id: "s", ask_id: "a", choice: "yes" }), {
    id: 1,
    does: "answer",
    session: "s",
    ask: "a",
    choice: "yes",
  });
});

test("everything else is carried without a look", () => {
  for (const text of ["please run /test", " /test", "/tests", "/test/unit"]) {
    assert.equal(wish("run.start", { input: { type: "text", text } }), undefined, text);
  }
  assert.equal(wish("session.watch", {}), undefined);
});

test("what waits for no answer is looked at all the same: the daemon does it", () => {
  const apply = parseWish({ method: "edits.apply", params: { diff_id: "d" } });
  assert.deepEqual(apply, { id: undefined, does: "write", diff: "d" });
});

test("a request is known however it is written, and brings no second one with it", () => {
  const apply = { id: 1, does: "write", diff: "d" };
  for (const text of [
    '{"id": 1, "method" : "edits.apply", "params": {"diff_id": "d"}}',
    '{"id":1,"\\u006dethod":"edits\\u002eapply","params":{"diff_id":"d"}}',
    '{"id":1,"method":"session.watch","method":"edits.apply","params":{"diff_id":"d"}}',
    '{\n"id":1,\n"method":"edits.apply","params":{"diff_id":"d"}}',
  ]) {
    const frame = parseFrame(text);
    assert.deepEqual(frame && parseWish(frame), apply);
  }
  const long = JSON.stringify({ text: "x".repeat(MAX_FRAME) });
  for (const text of ["not JSON", "[]", "1", "null", "{}\n{}", undefined, { id: 1 }, long])
    assert.equal(parseFrame(text), undefined);
});
