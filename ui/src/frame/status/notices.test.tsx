// The agent's notices: what a person should know, and folded below them what only a developer wants.
import { expect, it } from "vitest";
import type { InfoBlock, SystemBlock } from "../../model.gen";
import { makeTestRoom, mount } from "../../text/test_room";
import { isDebug, NoticesDialog } from "./notices";

const DEBUG: SystemBlock = {
  kind: "system",
  id: "d",
  title: "Other events (debug)",
  text: "thread/readState/changed {}",
  debug: true,
};
const WARNING: InfoBlock = { kind: "info", id: "w", title: "Configuration", text: "No bubblewrap." };

it("folds events without a place of their own below the notices", () => {
  const { root, end } = mount(makeTestRoom(), () => (
    <NoticesDialog notices={[DEBUG, WARNING]} onClose={() => {}} />
  ));
  const entries = [...root.querySelectorAll(".frame-notices > li")];
  expect(entries.map((entry) => entry.textContent)).toEqual([
    "ConfigurationNo bubblewrap.",
    "Other events (debug)thread/readState/changed {}",
  ]);
  expect(entries.map((entry) => entry.querySelector("details")?.open)).toEqual([undefined, false]);
  expect([DEBUG, WARNING].map(isDebug)).toEqual([true, false]);
  end();
});
