import { createRoot } from "solid-js";
import { expect, it } from "vitest";
import type { EditorContext } from "../../host/vscode_messages";
import type { Room } from "../../state/room";
import { makeComposerRoom } from "../test_room";
import { makeWhereabouts } from "./whereabouts";

const RANGE = { start: { line: 2, column: 0 }, end: { line: 4, column: 1 } };
const CONTEXT: EditorContext = {
  workspace_root: "/p",
  active_file: { path: "a.py" },
  selection: { path: "a.py", range: RANGE },
  open_files: ["a.py"],
};

function seen(context: EditorContext | undefined, workspace: string) {
  const { room } = makeComposerRoom();
  room.setWish("whereabouts", JSON.stringify({ "/p": { file: "of the viewer.py" } }));
  const within = { ...room, editor: () => context } as Room;
  return createRoot(() => {
    const where = makeWhereabouts(within, () => workspace);
    return { file: where.file(), selection: where.selection() };
  });
}

it("is what the editor shows", () => {
  expect(seen(CONTEXT, "/p")).toEqual({ file: "a.py", selection: CONTEXT.selection });
});

it("is nowhere in a folder that the editor does not show, whatever was looked at before", () => {
  expect(seen({ ...CONTEXT, workspace_root: "/other" }, "/p")).toEqual({});
  expect(seen({ ...CONTEXT, active_file: null, selection: null }, "/p")).toEqual({});
});

it("is what the page's own viewer showed, without an editor", () => {
  expect(seen(undefined, "/p")).toEqual({ file: "of the viewer.py" });
});
