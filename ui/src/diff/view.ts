// What every row of a diff view shares, and what a view can be asked to let a person do.
import type { Accessor, JSX } from "solid-js";
import type { DiffFile, DiffHunk, DiffLine } from "./read/parse";
import type { Painter } from "./rows/painter";

export interface LineAt {
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
  readonly line: DiffLine;
}

export type HowMuch = "all" | "some" | "none" | "never"; // never: nothing of it can be chosen

/// Which hunks are chosen; every read is tracked.
export interface ChosenHunks {
  howMuch(file: DiffFile): HowMuch;
  has(file: DiffFile, hunk: DiffHunk): boolean;
  may(file: DiffFile, hunk: DiffHunk): boolean;
  toggle(file: DiffFile, hunk: DiffHunk): void;
  toggleFile(file: DiffFile): void;
}

/// Short words beside a file's or a hunk's head; quiet where nothing is wrong.
export interface Mark {
  readonly text: string;
  readonly isQuiet: boolean;
  readonly more?: string; // a sentence about it, below the head of a file
}

export interface LineMarks {
  file?(file: DiffFile): Mark | undefined;
  hunk?(file: DiffFile, hunk: DiffHunk): Mark | undefined;
}

/// A button on the head of each file and hunk that it can be used on.
export interface HeadAction {
  readonly label: string;
  readonly key: string; // as the diff's keys have it
  isBusy: Accessor<boolean>;
  may(file: DiffFile, hunk?: DiffHunk): boolean;
  act(file: DiffFile, hunk?: DiffHunk): void;
}

export interface DiffChoices {
  readonly painter: Painter;
  readonly isWhole: boolean; // a yes rests on it: lines are not cut
  readonly choice: Accessor<ChosenHunks | undefined>;
  readonly marks: Accessor<LineMarks | undefined>;
  readonly action: Accessor<HeadAction | undefined>;
  readonly onComment: Accessor<((at: LineAt) => void) | undefined>;
  readonly below: Accessor<((at: LineAt) => JSX.Element) | undefined>;
  readonly open: Accessor<((file: DiffFile, line?: number) => void) | undefined>;
  isClosed(file: DiffFile): boolean;
  setClosed(file: DiffFile, closed: boolean): void;
}
