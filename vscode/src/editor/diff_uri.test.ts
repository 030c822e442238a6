import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiffUri, toParts } from "./diff_uri";

test("a side of a diff has an address, both ways", () => {
  const side = { diffId: "d-1", side: "before", path: "src/a b.py", isReverse: false } as const;
  assert.deepEqual(toParts(side), { scheme: "bascule", path: "/diff/d-1/before/src/a b.py", query: "" });
  assert.deepEqual(parseDiffUri(toParts(side)), side);
  const reverse = { ...side, side: "after", isReverse: true } as const;
  assert.deepEqual(parseDiffUri(toParts(reverse)), reverse);
});

test("anything else is no diff", () => {
  for (const path of ["/diff/d/middle/a", "/diff/d/before/", "/diff//before/a", "/other"])
    assert.equal(parseDiffUri({ path, query: "" }), undefined);
});
