import { expect, it } from "vitest";
import { ONE_OF_EACH } from "../blocks/test_room";
import { findBlocks, textsOf } from "./find_text";

it("has something to find in every kind of block", () => {
  for (const block of Object.values(ONE_OF_EACH)) expect(textsOf(block)).not.toEqual([]);
});

it("finds in order, whatever the case, and in what is folded away", () => {
  const blocks = [
    { ...ONE_OF_EACH.command, id: "c", output: "A Needle" },
    { ...ONE_OF_EACH.assistant, id: "a", text: "nothing" },
    { ...ONE_OF_EACH.fileChange, id: "f", files: [{ path: "x", change: "add" as const, diff: "+needle" }] },
  ];
  expect(findBlocks(blocks, "NEEDLE")).toEqual(["c", "f"]);
  expect(findBlocks(blocks, "")).toEqual([]);
});
