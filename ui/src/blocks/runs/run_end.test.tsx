// The end of a run: what can be done about it, and when not.
import { expect, it, vi } from "vitest";
import type { Ask, Block, RunReview } from "../../model.gen";
import { makeMirror, makeTestRoom, mount } from "../../text/test_room";
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

const RAN: Block = { kind: "command", id: "c", run: "r1", status: "completed", command: "echo >> README.md" };
const REVIEW: RunReview = {
  session_id: "s1",
  run_id: "r1",
  files: [{ path: "README.md", kind: "update", additions: 2, deletions: 1, by: "command" }],
  unified: "",
};

function showEnd(review: RunReview, outcome: "completed" | "running" = "completed") {
  const mirror = makeMirror([RAN]);
  mirror.setHead({ runs: [{ id: "r1", outcome }] });
  const testRoom = makeTestRoom({ "edits.review": review });
  const { root, end } = mount(testRoom, () => <RunEnd mirror={mirror} run="r1" ids={["c"]} />);
  const buttons = () => [...root.querySelectorAll("button")].map((one) => one.textContent?.trim());
  return { root, end, buttons, testRoom };
}

it("counts what a command changed, and offers to undo it", async () => {
  const { root, end, buttons } = showEnd(REVIEW);
  await vi.waitFor(() => expect(root.textContent).toContain("1 file"));
  expect(root.textContent).toContain("+2");
  expect(root.textContent).toContain("−1");
  expect(buttons()).toEqual(["Undo", "Review"]);
  end();
});

it("offers no review where nothing was changed, and one where that is not sure", async () => {
  const sure = showEnd({ ...REVIEW, files: [] });
  await vi.waitFor(() => expect(sure.buttons()).toEqual([]));
  sure.end();
  const unsure = showEnd({ ...REVIEW, files: [], note: "The log is not whole." });
  await vi.waitFor(() => expect(unsure.testRoom.asked.map((one) => one.what)).toEqual(["edits.review"]));
  await Promise.resolve();
  expect(unsure.buttons()).toEqual(["Review"]);
  unsure.end();
});

it("leaves out what is zero", async () => {
  const files: RunReview["files"] = [
    { path: "a.py", kind: "add", additions: 2, deletions: 0, by: "command" },
  ];
  const { root, end } = showEnd({ ...REVIEW, files });
  await vi.waitFor(() => expect(root.querySelector(".frame-counts")?.textContent).toBe("+22 lines added"));
  end();
});
