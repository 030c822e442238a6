import { describe, expect, it } from "vitest";
import type { EditDone } from "../../model.gen";
import type { Mirror } from "../../state/room";
import { countWritten, findApplied, findReverted } from "./applied";

function mirrorOf(...edits: Partial<EditDone>[]): Mirror {
  const blocks = edits.map((edit, i) => ({ id: String(i), kind: "system" as const, edit }));
  return {
    outline: () => blocks.map(({ id, kind }) => ({ id, kind, run: "", isGoing: false })),
    block: (id: string) => blocks[Number(id)],
  } as unknown as Mirror;
}

describe("an applied diff", () => {
  const applied = { work: "apply" as const, undo_id: "u1", diff_id: "d" };

  it("is known by the note of its writing", () => {
    expect(findApplied(mirrorOf(), "d")).toBeUndefined();
    expect(findApplied(mirrorOf(applied), "d")).toEqual({ undoId: "u1", isPart: false });
    expect(findApplied(mirrorOf(applied), "other")).toBeUndefined();
    expect(findApplied(mirrorOf({ ...applied, diff_id: "part", of: "d" }), "d")).toEqual({
      undoId: "u1",
      isPart: true,
    });
  });

  it("is none after its undo, and one again when the undo is undone", () => {
    const undone = { work: "undo" as const, undo_id: "u2", undoes: "u1" };
    expect(findApplied(mirrorOf(applied, undone), "d")).toBeUndefined();
    const again = { work: "undo" as const, undo_id: "u3", undoes: "u2" };
    expect(findApplied(mirrorOf(applied, undone, again), "d")?.undoId).toBe("u1");
  });

  it("may be the end of a run's changes, until that is undone", () => {
    const reverted = { work: "apply" as const, undo_id: "u1", diff_id: "d", reverts: "r1" };
    const undone = { work: "undo" as const, undo_id: "u2", undoes: "u1" };
    expect(findReverted(mirrorOf(reverted), "r1")).toBe("u1");
    expect(findReverted(mirrorOf(reverted), "r2")).toBeUndefined();
    expect(findReverted(mirrorOf(reverted, undone), "r1")).toBeUndefined();
    expect(countWritten(mirrorOf(reverted, undone))).toBe(2);
  });
});
