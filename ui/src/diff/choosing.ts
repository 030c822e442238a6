// Which files and hunks a person takes: pure, and in the words of the daemon.
import type { ChosenFile, ReviewedFile } from "../model.gen";
import type { HowMuch } from "./view";

/// A file as it can be chosen. Without hunks (renamed, another mode, binary) it is taken whole or not.
export interface Unit {
  readonly path: string; // as the daemon names it
  readonly hunks: readonly number[]; // those that can be taken
  readonly isPartial: boolean; // it has others, which cannot
}

/// What of a run can be reverted: the hunks that are still there.
export function reviewUnit(reviewed: ReviewedFile): Unit {
  const hunks = reviewed.hunks ?? [];
  const there = hunks.filter((hunk) => hunk.there !== false && !hunk.why);
  return {
    path: reviewed.path,
    hunks: there.map((hunk) => hunk.number),
    isPartial: there.length < hunks.length,
  };
}

const WHOLE = 0; // means a file without hunks

/// For each unit, by its place in the list, what is taken of it.
export type Chosen = readonly ReadonlySet<number>[];

function numbersOf(unit: Unit): readonly number[] {
  if (unit.hunks.length > 0) return unit.hunks;
  return unit.isPartial ? [] : [WHOLE];
}

export function chooseAll(units: readonly Unit[]): Chosen {
  return units.map((unit) => new Set(numbersOf(unit)));
}

export function chooseNone(units: readonly Unit[]): Chosen {
  return units.map(() => new Set());
}

export function toggleHunk(chosen: Chosen, at: number, hunk: number): Chosen {
  return chosen.map((taken, i) => (i === at ? flipped(taken, hunk) : taken));
}

/// All of a file, or none of it when all was taken.
export function toggleFile(chosen: Chosen, units: readonly Unit[], at: number): Chosen {
  const unit = units[at];
  if (!unit) return chosen;
  const isAll = howMuch(chosen, units, at) === "all";
  return chosen.map((taken, i) => (i === at ? new Set(isAll ? [] : numbersOf(unit)) : taken));
}

export function howMuch(chosen: Chosen, units: readonly Unit[], at: number): HowMuch {
  const unit = units[at];
  const count = unit ? numbersOf(unit).length : 0;
  if (count === 0) return "never";
  const taken = chosen[at]?.size ?? 0;
  if (taken === 0) return "none";
  return taken === count ? "all" : "some";
}

export function countChosen(chosen: Chosen): number {
  return chosen.reduce((sum, taken) => sum + taken.size, 0);
}

export function countChoosable(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + numbersOf(unit).length, 0);
}

export function isEverything(chosen: Chosen, units: readonly Unit[]): boolean {
  return units.every((unit, at) => !unit.isPartial && howMuch(chosen, units, at) === "all");
}

/// As `edits.select` and `edits.revert` take it: no numbers for a whole file.
export function toChosenFiles(chosen: Chosen, units: readonly Unit[]): ChosenFile[] {
  return units.flatMap((unit, at) => {
    const taken = chosen[at];
    if (!taken || taken.size === 0) return [];
    const isWhole = !unit.isPartial && howMuch(chosen, units, at) === "all";
    return [isWhole ? { path: unit.path } : { path: unit.path, hunks: [...taken].sort((a, b) => a - b) }];
  });
}

function flipped(taken: ReadonlySet<number>, hunk: number): ReadonlySet<number> {
  const next = new Set(taken);
  if (!next.delete(hunk)) next.add(hunk);
  return next;
}
