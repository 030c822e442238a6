import { expect, it } from "vitest";
import { dropTo, stepTo } from "./queue_order";

const KEYS = ["a", "b", "c"];

/// As the daemon moves: out of its place, then in at the new one.
function moved(key: string, to: number | undefined): string {
  if (to === undefined) return KEYS.join("");
  const rest = KEYS.filter((one) => one !== key);
  return [...rest.slice(0, to), key, ...rest.slice(to)].join("");
}

it("steps up and down, and not beyond the ends", () => {
  expect(moved("b", stepTo(KEYS, "b", -1))).toBe("bac");
  expect(moved("b", stepTo(KEYS, "b", 1))).toBe("acb");
  expect(stepTo(KEYS, "a", -1)).toBeUndefined();
  expect(stepTo(KEYS, "c", 1)).toBeUndefined();
  expect(stepTo(KEYS, "x", 1)).toBeUndefined();
});

it.each([
  ["a", "c", true, "bca"],
  ["a", "c", false, "bac"],
  ["c", "a", false, "cab"],
  ["c", "a", true, "acb"],
  ["a", "b", false, "abc"], // where it is
  ["b", "b", true, "abc"],
  ["x", "b", true, "abc"],
])("%s dropped on %s (below: %s) gives %s", (dragged, over, below, order) => {
  expect(moved(dragged, dropTo(KEYS, dragged, over, below))).toBe(order);
});
