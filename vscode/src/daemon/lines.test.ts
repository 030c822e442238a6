import assert from "node:assert/strict";
import { test } from "node:test";
import { Lines, Overlong } from "./lines";

const TEXT = '{"a":1}\n\n{"b":"日本"}\n{"c":';
const WHOLE = ['{"a":1}', "", '{"b":"日本"}'];

test("lines are the same however the bytes are cut", () => {
  const bytes = Buffer.from(TEXT);
  for (let size = 1; size <= bytes.length; size++) {
    const lines = new Lines();
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...lines.feed(bytes.subarray(at, at + size)));
    assert.deepEqual(found, WHOLE);
  }
});

test("a line beyond the ceiling is refused, not collected", () => {
  const lines = new Lines(8);
  assert.deepEqual(lines.feed(Buffer.from("12345678\n")), ["12345678"]);
  lines.feed(Buffer.from("1234"));
  assert.throws(() => lines.feed(Buffer.from("56789")), Overlong);
});
