// Where the person is: the file they opened last and the lines they picked, as `@selection` and chips mean them.
import { type Accessor, createEffect, createSignal, on, untrack } from "solid-js";
import type { UiContext, UiSelection } from "../model.gen";
import type { Room } from "../state/room";

interface Seen<T> {
  workspace: string;
  what: T;
}

export interface Whereabouts {
  file: Accessor<string | undefined>;
  selection: Accessor<UiSelection | undefined>;
  context: Accessor<UiContext>;
}

/// What was seen in one workspace means nothing in another. The viewer lies over the page, so the file counts
/// as open after the viewer is closed, until another one is.
export function makeWhereabouts(room: Room, workspace: Accessor<string>): Whereabouts {
  const [opened, setOpened] = createSignal<Seen<string>>();
  const [picked, setPicked] = createSignal<Seen<UiSelection>>();
  const shown = () => {
    const over = room.overlay();
    return over?.kind === "file" ? over : undefined;
  };
  const placeOf = (session: string | undefined) =>
    (session ? room.card(session)?.workspace : undefined) ?? workspace();

  createEffect(() => {
    const over = shown();
    if (over?.place.path)
      setOpened({ workspace: untrack(() => placeOf(over.session)), what: over.place.path });
  });
  createEffect(
    on(room.selection, (what) => {
      setPicked(what && { workspace: placeOf(shown()?.session), what });
    }),
  );

  const here = <T>(seen: Seen<T> | undefined) => (seen?.workspace === workspace() ? seen.what : undefined);
  const file = () => here(opened());
  const selection = () => here(picked());
  const context = (): UiContext => {
    const path = file();
    const picked = selection();
    return {
      workspace_root: workspace(),
      active_file: path ? { path } : null,
      selection: picked ? { path: picked.path, range: picked.range } : null, // the daemon reads the file itself
    };
  };
  return { file, selection, context };
}

/// As the daemon will spell it: lines from 1, and a selection that ends at a line's start ends before it.
export function selectedLines(selection: UiSelection): string {
  const { start, end } = selection.range;
  const first = start.line + 1;
  const last = end.column === 0 && end.line > start.line ? end.line : end.line + 1;
  return first === last ? `${selection.path}#L${first}` : `${selection.path}#L${first}-L${last}`;
}

export function isNothing(selection: UiSelection): boolean {
  const { start, end } = selection.range;
  return start.line === end.line && start.column === end.column;
}
