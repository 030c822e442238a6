import { expect, it } from "vitest";
import { squares } from "./counts";

it.each([
  [0, 0, "....."],
  [1, 0, "+...."],
  [0, 1, "-...."],
  [1, 1, "+-..."],
  [6, 1, "++-.."],
  [8, 0, "++++."],
  [400, 1, "++++-"],
  [1, 400, "+----"],
])("%d added and %d deleted are %s", (additions, deletions, drawn) => {
  const signs = { added: "+", deleted: "-", none: "." };
  expect(
    squares(additions, deletions)
      .map((kind) => signs[kind])
      .join(""),
  ).toBe(drawn);
});
