// The row that keys act on.
import { type Accessor, createSignal } from "solid-js";
import { commandOf, type DiffCommand } from "./keys";
import { type ChangeStep, type DiffRow, findRow, lineOf, startsChange } from "./rows/rows";
import type { DiffChoices } from "./view";

export interface Cursor {
  at: Accessor<number>; // -1: nowhere yet
  put(index: number): void;
  run(command: DiffCommand): void;
  onKey(event: KeyboardEvent): void;
}

type Scroll = (index: number, align: "start" | "center" | "nearest") => void;

/// As long as it is nowhere, keys begin at the top of what is seen.
export function createCursor(
  rows: Accessor<readonly DiffRow[]>,
  view: DiffChoices,
  top: Accessor<number>,
  scroll: Scroll,
): Cursor {
  const [at, setAt] = createSignal(-1);
  const step = (by: ChangeStep, align: "start" | "center" | "nearest", is: (row: DiffRow) => boolean) => {
    const from = at() >= 0 ? at() : top() - (by > 0 ? 1 : 0);
    const index = findRow(rows(), from, by, is);
    if (index === undefined) return;
    setAt(index);
    scroll(index, align);
  };
  const row = () => rows()[at()];
  const run: Record<DiffCommand, () => void> = {
    nextChange: () => step(1, "center", startsChange),
    previousChange: () => step(-1, "center", startsChange),
    down: () => step(1, "nearest", () => true),
    up: () => step(-1, "nearest", () => true),
    nextFile: () => step(1, "start", isFile),
    previousFile: () => step(-1, "start", isFile),
    fold: () => {
      const now = row();
      if (!now) return;
      view.setClosed(now.file, !view.isClosed(now.file));
      setAt(rows().findIndex((one) => one.kind === "file" && one.file === now.file)); // its lines may be gone
      scroll(at(), "nearest");
    },
    choose: () => choose(row(), view),
    act: () => act(row(), view),
    comment: () => comment(row(), view),
    open: () => open(row(), view),
  };
  return {
    at,
    put: setAt,
    run: (command) => run[command](),
    onKey: (event) => {
      const command = commandOf(event);
      if (!command) return;
      event.preventDefault();
      run[command]();
    },
  };
}

function isFile(row: DiffRow): boolean {
  return row.kind === "file";
}

function choose(row: DiffRow | undefined, view: DiffChoices): void {
  const choice = view.choice();
  if (!row || !choice) return;
  if (row.kind === "file" || row.kind === "note") choice.toggleFile(row.file);
  else if (choice.may(row.file, row.hunk)) choice.toggle(row.file, row.hunk);
}

function act(row: DiffRow | undefined, view: DiffChoices): void {
  const action = view.action();
  if (!row || !action || action.isBusy()) return;
  const hunk = row.kind === "file" || row.kind === "note" ? undefined : row.hunk;
  if (action.may(row.file, hunk)) action.act(row.file, hunk);
}

function comment(row: DiffRow | undefined, view: DiffChoices): void {
  const line = lineOf(row);
  if (line && (row?.kind === "line" || row?.kind === "pair")) {
    view.onComment()?.({ file: row.file, hunk: row.hunk, line });
  }
}

function open(row: DiffRow | undefined, view: DiffChoices): void {
  if (row && row.file.kind !== "delete") view.open()?.(row.file, lineOf(row)?.after || undefined);
}
