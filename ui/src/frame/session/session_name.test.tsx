import { expect, it } from "vitest";
import { makeTestRoom, mount } from "../../text/test_room";
import { SessionName, splitName } from "./session_name";

it.each([
  ["run the tests", "run the tests", ""],
  ["run the tests #2", "run the tests", "#2"],
  ["#3", "#3", ""],
  ["fix #12, please", "fix #12, please", ""],
])("%s: its words, and the number that stays in sight", (name, words, number) => {
  expect(splitName(name)).toEqual({ words, number });
});

it("reads as one name", () => {
  const { root, end } = mount(makeTestRoom(), () => <SessionName name="run the tests #2" />);
  expect(root.textContent).toBe("run the tests #2");
  end();
});
