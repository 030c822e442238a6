// Reverting: a hunk, a file or everything that a run changed, after one yes.
import type { Accessor } from "solid-js";
import { isRevertAsked } from "../blocks/edits/applied";
import { chooseAll, reviewUnit, toChosenFiles } from "../diff/choosing";
import type { ChosenFile, RunReview } from "../model.gen";
import type { Room } from "../state/room";
import type { Applying } from "./apply/applying";

export interface Reverting {
  isBusy: Accessor<boolean>;
  /// What is still there of the run.
  all: Accessor<readonly ChosenFile[]>;
  /// Whether anything of a file, or a hunk of it, can be reverted.
  may(file: number, hunk?: number): boolean;
  revert(file: number, hunk?: number): void;
  revertAll(): void;
}

export function createReverting(
  room: Room,
  applying: Applying,
  review: Accessor<RunReview | undefined>,
): Reverting {
  const units = () => (review()?.files ?? []).map(reviewUnit);
  const all = () => toChosenFiles(chooseAll(units()), units());
  const revert = (files: readonly ChosenFile[]) => {
    const of = review();
    if (!of || files.length === 0) return;
    void applying.apply(async () => {
      const { diff_id } = await room.call("edits.revert", {
        session_id: of.session_id,
        run_id: of.run_id,
        files: [...files],
      });
      return { diffId: diff_id };
    }, "revert");
  };
  return {
    isBusy: () => {
      const of = review();
      const isAsked = of !== undefined && isRevertAsked(room.mirror(of.session_id), of.run_id);
      return isAsked || applying.fate().state === "busy";
    },
    all,
    may: (file, hunk) => {
      const unit = units()[file];
      if (!unit || unit.hunks.length === 0) return hunk === undefined && unit?.isPartial === false;
      return hunk === undefined || unit.hunks.includes(hunk);
    },
    revert: (file, hunk) => {
      const unit = units()[file];
      if (!unit) return;
      const whole = toChosenFiles(chooseAll([unit]), [unit]);
      revert(hunk === undefined ? whole : [{ path: unit.path, hunks: [hunk] }]);
    },
    revertAll: () => revert(all()),
  };
}
