import { expect, it } from "vitest";
import { makeTestRoom, mount } from "../text/test_room";
import { Cost, sayCost } from "./numbers";

it.each([
  [12.345, "$12.35"],
  [0.01, "$0.01"],
  [0.0004, "<$0.01"],
])("%d dollars are %s", (dollars, said) => {
  expect(sayCost(dollars, "en")).toBe(said);
});

it("shows a cost only where it is known", () => {
  const shown = (cost_usd?: number) => {
    const { root, end } = mount(makeTestRoom(), () => <Cost usage={{ context_used: 1, cost_usd }} />);
    const text = root.textContent;
    end();
    return text;
  };
  expect([shown(), shown(0), shown(1.5)]).toEqual(["", "", "$1.50"]);
});
