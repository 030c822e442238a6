// The choice that a diff view ticks, over the pure one.
import { type Accessor, createEffect, createMemo, createSignal, on } from "solid-js";
import {
  type Chosen,
  chooseAll,
  chooseNone,
  countChoosable,
  countChosen,
  howMuch,
  isEverything,
  toChosenFiles,
  toggleFile,
  toggleHunk,
  type Unit,
} from "../../diff/choosing";
import type { DiffFile } from "../../diff/read/parse";
import type { ChosenHunks } from "../../diff/view";

export interface Chooser {
  readonly choice: ChosenHunks;
  readonly units: Accessor<readonly Unit[]>;
  count: Accessor<number>;
  of: Accessor<number>;
  isEverything: Accessor<boolean>;
  toFiles(): ReturnType<typeof toChosenFiles>;
  all(): void;
  none(): void;
}

export function createChooser(
  files: Accessor<readonly DiffFile[]>,
  units: Accessor<readonly Unit[]>,
  begin: (units: readonly Unit[]) => Chosen,
): Chooser {
  const [chosen, setChosen] = createSignal<Chosen>(begin(units()));
  createEffect(on(units, (now) => setChosen(begin(now)), { defer: true }));
  const places = createMemo(() => new Map(files().map((file, at) => [file, at])));
  const at = (file: DiffFile) => places().get(file) ?? -1;
  return {
    units,
    choice: {
      howMuch: (file) => howMuch(chosen(), units(), at(file)),
      has: (file, hunk) => chosen()[at(file)]?.has(hunk.number) ?? false,
      may: (file, hunk) => units()[at(file)]?.hunks.includes(hunk.number) ?? false,
      toggle: (file, hunk) => setChosen((now) => toggleHunk(now, at(file), hunk.number)),
      toggleFile: (file) => setChosen((now) => toggleFile(now, units(), at(file))),
    },
    count: () => countChosen(chosen()),
    of: () => countChoosable(units()),
    isEverything: () => isEverything(chosen(), units()),
    toFiles: () => toChosenFiles(chosen(), units()),
    all: () => setChosen(chooseAll(units())),
    none: () => setChosen(chooseNone(units())),
  };
}
