// What every row of a diff view shares, and what a view can be asked to let a person do.
import type { Accessor, JSX } from "solid-js";
import type { Painter } from "./painter";
import type { DiffFile, DiffHunk, DiffLine } from "./parse";

export interface LineAt {
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
  readonly line: DiffLine;
}

export type HowMuch = "all" | "some" | "none" | "never"; // never: nothing of it can be chosen

/// Which hunks are chosen; every read is tracked.
export interface Choice {
  howMuch(file: DiffFile): HowMuch;
  has(file: DiffFile, hunk: DiffHunk): boolean;
  may(file: DiffFile, hunk: DiffHunk): boolean;
  toggle(file: DiffFile, hunk: DiffHunk): void;
  toggleFile(file: DiffFile): void;
}

/// Short words beside a file's or a hunk's head.
export interface Marks {
  file?(file: DiffFile): string | undefined;
  hunk?(file: DiffFile, hunk: DiffHunk): string | undefined;
}

export interface View {
  readonly painter: Painter;
  readonly choice: Accessor<Choice | undefined>;
  readonly marks: Accessor<Marks | undefined>;
  readonly onComment: Accessor<((at: LineAt) => void) | undefined>;
  readonly below: Accessor<((at: LineAt) => JSX.Element) | undefined>;
  readonly open: Accessor<((file: DiffFile, line?: number) => void) | undefined>;
  isClosed(file: DiffFile): boolean;
  setClosed(file: DiffFile, closed: boolean): void;
}
