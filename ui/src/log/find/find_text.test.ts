import { expect, it } from "vitest";
import { ONE_OF_EACH } from "../../blocks/test_room";
import { findBlocks, findPlace, nearestPlace, textsOf } from "./find_text";

it("has something to find in every kind of block", () => {
  for (const block of Object.values(ONE_OF_EACH)) expect(textsOf(block)).not.toEqual([]);
});

it("finds in order, whatever the case, and in what is folded away", () => {
  const blocks = [
    { ...ONE_OF_EACH.command, id: "c", output: "A Needle" },
    { ...ONE_OF_EACH.assistant, id: "a", text: "nothing" },
    { ...ONE_OF_EACH.fileChange, id: "f", files: [{ path: "x", change: "add" as const, diff: "+needle" }] },
  ];
  expect(findBlocks(blocks, "NEEDLE").map((one) => one.id)).toEqual(["c", "f"]);
  expect(findBlocks(blocks, "")).toEqual([]);
});

it("counts every place, and knows the block of each", () => {
  const blocks = [
    { ...ONE_OF_EACH.assistant, id: "a", text: "one needle, another needle" },
    { ...ONE_OF_EACH.user, id: "u", text: "a needle" },
  ];
  const found = findBlocks(blocks, "needle");
  expect(found).toEqual([
    { id: "a", count: 2 },
    { id: "u", count: 1 },
  ]);
  expect([0, 1, 2, 3].map((at) => findPlace(found, at))).toEqual([
    { id: "a", nth: 0 },
    { id: "a", nth: 1 },
    { id: "u", nth: 0 },
    undefined,
  ]);
});

it("begins at the place nearest to what is read, and at the last where nothing is", () => {
  const found = [
    { id: "a", count: 2 },
    { id: "d", count: 3 },
    { id: "z", count: 1 },
  ];
  const order = ["a", "b", "c", "d", "e", "z"];
  expect(["b", "c", "e", "z", undefined].map((middle) => nearestPlace(found, order, middle))).toEqual([
    0, 2, 2, 5, 5,
  ]);
});
