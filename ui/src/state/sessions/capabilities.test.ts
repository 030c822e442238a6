import { expect, it } from "vitest";
import { usable } from "../../composer/suggestions/suggestions";
import { can } from "./capabilities";

it("what is not said an agent can do", () => {
  expect(can(undefined, "fork")).toBe(true);
  expect(can({}, "fork")).toBe(true);
  expect(can({ capabilities: { steer: false } }, "fork")).toBe(true);
  expect(can({ capabilities: { fork: false } }, "fork")).toBe(false);
});

it("offers no command that the agent cannot carry out", () => {
  const commands = [
    { name: "/fork", argument: "", doc: "", needs: "fork" as const },
    { name: "/new", argument: "", doc: "" },
  ];
  const offered = usable(commands, { capabilities: { fork: false } });
  expect(offered.map((command) => command.name)).toEqual(["/new"]);
});
