// Whether a diff that hangs on a block has been written, and what undoes it: read from the log's own notes.
import type { EditDone } from "../model.gen";
import type { Mirror } from "../state/room";

export interface AppliedDiff {
  readonly undoId: string;
  readonly isPart: boolean;
}

/// The latest of its edits that has not been undone since.
export function findApplied(mirror: Mirror, diffId: string): AppliedDiff | undefined {
  const done = editsOf(mirror);
  const isLive = (id: string): boolean => !done.some((edit) => edit.undoes === id && isLive(edit.undo_id));
  const last = done.findLast(
    (edit) => (edit.diff_id === diffId || edit.of === diffId) && isLive(edit.undo_id),
  );
  return last && { undoId: last.undo_id, isPart: last.diff_id !== diffId };
}

function editsOf(mirror: Mirror): EditDone[] {
  return mirror
    .outline()
    .filter(({ kind }) => kind === "system")
    .flatMap(({ id }) => {
      const block = mirror.block(id);
      return block?.kind === "system" && block.edit ? [block.edit] : [];
    });
}
