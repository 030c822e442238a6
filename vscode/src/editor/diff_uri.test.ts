import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiffUri, toParts } from "./diff_uri";

const SIDE = {
  diffId: "d-1",
  side: "before",
  path: "src/a b.py",
  isReverse: false,
  folder: "p/src",
} as const;

test("a side of a diff has an address, both ways", () => {
  assert.deepEqual(toParts(SIDE), {
    scheme: "bascule",
    path: "/diff/d-1/before/src/a b.py",
    query: '{"folder":"p/src"}',
  });
  assert.deepEqual(parseDiffUri(toParts(SIDE)), SIDE);
  const reverse = { ...SIDE, side: "after", isReverse: true } as const;
  assert.deepEqual(parseDiffUri(toParts(reverse)), reverse);
});

test("both sides of a file that was not renamed can have the same path", () => {
  const before = toParts(SIDE, "after");
  assert.equal(before.path, toParts({ ...SIDE, side: "after" }).path);
  assert.deepEqual(parseDiffUri(before), SIDE);
});

test("anything else is no diff", () => {
  for (const path of ["/diff/d/middle/a", "/diff/d/before/", "/diff//before/a", "/other"])
    assert.equal(parseDiffUri({ path, query: "" }), undefined);
});

test("a query of somebody else says nothing", () => {
  for (const query of ["reverse", "null", "[1]", '{"side":"up","folder":7}', "{"])
    assert.deepEqual(parseDiffUri({ path: "/diff/d/after/a", query }), {
      ...{ diffId: "d", side: "after", path: "a", isReverse: false, folder: "" },
    });
});
