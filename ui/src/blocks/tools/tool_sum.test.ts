import { expect, it } from "vitest";
import type { Block } from "../../model.gen";
import { ONE_OF_EACH } from "../test_room";
import { saySum } from "./tool_sum";

const command = (some: object): Block => ({ ...ONE_OF_EACH.command, status: "completed", ...some }) as Block;

it.each([
  [
    [command({ does: "read", reads: 2 }), command({ does: "read" }), command({}), command({})],
    "Read 3 files, ran 2 commands",
  ],
  [
    [command({}), ONE_OF_EACH.reasoning, ONE_OF_EACH.mcp, ONE_OF_EACH.webSearch],
    "Ran 1 command, called 1 tool, searched the web",
  ],
  [[command({ does: "search" }), command({ status: "declined" })], "Searched once, 1 declined"],
  [[command({}), command({ status: "cancelled" })], "Ran 1 command, 1 cancelled"],
])("is said in one line", (blocks, words) => {
  expect(saySum(blocks)).toBe(words);
});
