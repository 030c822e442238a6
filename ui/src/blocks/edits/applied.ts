// What the log says was applied from a diff or reverted from a run, and how to undo it.
import type { EditDone } from "../../model.gen";
import type { Mirror } from "../../state/room";

export interface AppliedDiff {
  readonly undoId: string;
  readonly isPart: boolean;
}

/// The latest of its edits that has not been undone since.
export function findApplied(mirror: Mirror, diffId: string): AppliedDiff | undefined {
  const last = findLive(mirror, (edit) => edit.diff_id === diffId || edit.of === diffId);
  return last && { undoId: last.undo_id, isPart: last.diff_id !== diffId };
}

/// What undoes the edit after which nothing of a run was left.
export function findReverted(mirror: Mirror, run: string): string | undefined {
  return findLive(mirror, (edit) => edit.reverts === run)?.undo_id;
}

/// Whether a question stands about reverting some of a run: a second one would no longer fit after its yes.
export function isRevertAsked(mirror: Mirror | undefined, run: string): boolean {
  const asks = mirror?.head().asks ?? [];
  return asks.some(({ said }) => said?.code === "edit.revert" && said.fields?.run === run);
}

/// Lines of a run that were reverted since: what was added is deleted, and the other way round.
export function countReverted(mirror: Mirror, run: string): { additions: number; deletions: number } {
  const back = listLive(mirror, (edit) => edit.of === run);
  return {
    additions: back.reduce((sum, edit) => sum + edit.deletions, 0),
    deletions: back.reduce((sum, edit) => sum + edit.additions, 0),
  };
}

export function isUndone(mirror: Mirror, undoId: string): boolean {
  return findLive(mirror, (edit) => edit.undo_id === undoId) === undefined;
}

function findLive(mirror: Mirror, fits: (edit: EditDone) => boolean): EditDone | undefined {
  return listLive(mirror, fits).at(-1);
}

/// Those that have not been undone since.
function listLive(mirror: Mirror, fits: (edit: EditDone) => boolean): EditDone[] {
  const done = editsOf(mirror);
  const isLive = (id: string): boolean => !done.some((edit) => edit.undoes === id && isLive(edit.undo_id));
  return done.filter((edit) => fits(edit) && isLive(edit.undo_id));
}

/// How many edits were written here: it grows when the files may differ from what was shown.
export function countWritten(mirror: Mirror): number {
  return editsOf(mirror).length;
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
