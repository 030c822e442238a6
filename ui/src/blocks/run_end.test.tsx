// The end of a run: what can be done about it, and when not.
import { expect, it } from "vitest";
import type { Ask } from "../model.gen";
import { makeMirror, makeTestRoom, mount } from "../text/test_room";
import { RunEnd } from "./run_end";

it.each([
  ["r1", true],
  ["r2", false],
])("lets no second Undo of r1 be asked for while a revert of %s waits: %s", (run, isWaiting) => {
  const mirror = makeMirror([
    {
      kind: "fileChange",
      id: "f",
      run: "r1",
      status: "completed",
      files: [{ path: "a.py", change: "update" }],
    },
  ]);
  mirror.setHead({ runs: [{ id: "r1", outcome: "completed" }] });
  const { root, end } = mount(makeTestRoom(), () => <RunEnd mirror={mirror} run="r1" ids={["f"]} />);
  const undo = root.querySelector<HTMLButtonElement>(".blocks-end-acts button") as HTMLButtonElement;
  expect([undo.textContent?.trim(), undo.disabled]).toEqual(["Undo", false]);
  const ask: Partial<Ask> = { id: "a", said: { code: "edit.revert", fields: { plan: "ab", run } } };
  mirror.setHead({ asks: [ask as Ask] });
  expect(undo.disabled).toBe(isWaiting);
  expect(undo.textContent?.trim()).toBe(isWaiting ? "Waiting for your approval…" : "Undo");
  mirror.setHead({ asks: [] });
  expect(undo.disabled).toBe(false);
  end();
});
