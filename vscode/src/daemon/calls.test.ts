import assert from "node:assert/strict";
import { test } from "node:test";
import { Calls, Refused, Unreachable } from "./calls";

function open() {
  const sent: { id: number; method?: string }[] = [];
  const heard: [string, unknown][] = [];
  const calls = new Calls(
    (frame) => sent.push(JSON.parse(frame)),
    (method, params) => heard.push([method, params]),
    "手一杯です",
  );
  return { calls, sent, heard, say: (frame: object) => calls.hear(JSON.stringify(frame)) };
}

test("answers find their questions in any order, and a no is a no", async () => {
  const { calls, sent, say } = open();
  const first = calls.call("ask.list", {});
  const second = calls.call("daemon.ping", {});
  say({ id: sent[1]?.id, result: { ok: true } });
  say({ id: sent[0]?.id, error: { code: -32001, message: "busy" } });
  assert.deepEqual(await second, { ok: true });
  await assert.rejects(first, new Refused(-32001, "busy"));
});

test("notifications go on; a question to us is refused, and an answer to nothing is ignored", () => {
  const { sent, heard, say } = open();
  say({ method: "session.cards", params: { cards: [] } });
  say({ id: 9, method: "ui.confirm.request", params: {} });
  say({ id: 77, result: {} });
  assert.deepEqual(heard, [["session.cards", { cards: [] }]]);
  const error = { code: -32601, message: "The extension does not answer ui.confirm.request." };
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: 9, error }]);
});

test("when the line is lost, nobody waits any longer", async () => {
  const { calls } = open();
  const asked = calls.call("ask.list", {});
  calls.lose("gone");
  await assert.rejects(asked, new Unreachable("gone"));
});

test("there is a ceiling for calls", async () => {
  const { calls } = open();
  const open_ = Array.from({ length: 1_000 }, () => calls.call("daemon.ping", {}).catch(() => undefined));
  await assert.rejects(calls.call("daemon.ping", {}), new Unreachable("手一杯です"));
  calls.lose("over");
  await Promise.all(open_);
});
