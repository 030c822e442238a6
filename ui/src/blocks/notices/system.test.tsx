// The note of an edit: what was done, and how it is undone.
import { afterEach, expect, it } from "vitest";
import type { EditDone } from "../../model.gen";
import { makeTestRoom } from "../../text/test_room";
import { end, open, show } from "../test_room";

afterEach(() => end());

const EDIT: EditDone = {
  work: "revert",
  undo_id: "20261117-abcdefgh",
  files: 1,
  additions: 0,
  deletions: 5,
  plan: "0123456789ab",
  of: "r1",
};
const TEXT = "- `a.py` +0 −5\n\n`bascule undo abcdefgh` undoes it.";

it("calls a revert one, and undoes it from the log until that is done", async () => {
  const undone = { status: "ok", summary: "1 file, +5 −0", undo_id: "u2" };
  const testRoom = makeTestRoom({ "edits.undo": undone });
  const { mirror, root, find, button } = show({ kind: "system", id: "b", text: TEXT, edit: EDIT }, testRoom);
  expect(find(".blocks-title")?.textContent).toMatch(/^Reverted: 1 file/);
  expect(root.textContent).not.toContain("bascule undo"); // its button is the way here
  open(find("details"));
  await expect.poll(() => root.textContent).toContain("bascule undo abcdefgh undoes it.");
  button("Undo…")?.click();
  expect(testRoom.asked[0]).toEqual({
    what: "edits.undo",
    with: [{ session_id: "s1", undo_id: EDIT.undo_id }],
  });
  expect(button("Waiting for your approval…")).toHaveProperty("disabled", true);
  await expect.poll(() => button("Undo…")).toHaveProperty("disabled", false);
  const undo: EditDone = { ...EDIT, work: "undo", undo_id: "u2", undoes: EDIT.undo_id };
  mirror.put({ kind: "system", id: "c", edit: undo });
  expect(button("Undo…")).toBeUndefined();
  await expect.poll(() => root.textContent).not.toContain("undoes it");
});
