// Where the person is: the file they opened last and the lines they picked, as `@selection` and chips mean them.
import { type Accessor, createEffect, createMemo, on, untrack } from "solid-js";
import type { UiContext, UiSelection } from "../../model.gen";
import type { Room } from "../../state/room";

const REMEMBERED = "whereabouts";
const MAX_PLACES = 20; // workspaces; the one looked at longest ago goes first

interface SeenPlace {
  file?: string;
  selection?: UiSelection | undefined;
}

export interface Whereabouts {
  file: Accessor<string | undefined>;
  selection: Accessor<UiSelection | undefined>;
  context: Accessor<UiContext>;
}

/// What was seen in one workspace means nothing in another. The viewer lies over the page, so the file counts
/// as open after the viewer is closed, until another one is: a chip that says so outlives a reload.
export function makeWhereabouts(room: Room, workspace: Accessor<string>): Whereabouts {
  const all = createMemo(() => parseSeen(room.wish(REMEMBERED)));
  const shown = () => {
    const over = room.overlay();
    return over?.kind === "file" ? over : undefined;
  };
  const placeOf = (session: string | undefined) =>
    (session ? room.card(session)?.workspace : undefined) ?? workspace();

  function note(place: string, now: SeenPlace): void {
    const { [place]: before, ...others } = all();
    const kept = Object.fromEntries(Object.entries(others).slice(1 - MAX_PLACES));
    room.setWish(REMEMBERED, JSON.stringify({ ...kept, [place]: { ...before, ...now } }));
  }

  createEffect(() => {
    const over = shown();
    if (over?.place.path) untrack(() => note(placeOf(over.session), { file: over.place.path }));
  });
  createEffect(
    on(
      room.selection,
      (what) => {
        const selection = what && { path: what.path, range: what.range }; // the daemon reads the file itself
        note(placeOf(shown()?.session), { selection });
      },
      { defer: true },
    ),
  );

  /// An editor says where the person is; the page's own viewer is not used there.
  const ofEditor = () => {
    const editor = room.editor();
    return editor && (editor.workspace_root === workspace() ? editor : ({} as UiContext));
  };
  const file = () => {
    const editor = ofEditor();
    return editor ? editor.active_file?.path : all()[workspace()]?.file;
  };
  const selection = () => {
    const editor = ofEditor();
    return editor ? (editor.selection ?? undefined) : all()[workspace()]?.selection;
  };
  const context = (): UiContext => {
    const path = file();
    return {
      workspace_root: workspace(),
      active_file: path ? { path } : null,
      selection: selection() ?? null,
    };
  };
  return { file, selection, context };
}

/// What was stored; anything not in our format is dropped.
export function parseSeen(stored: string | undefined): Record<string, SeenPlace> {
  try {
    const read: unknown = JSON.parse(stored ?? "{}");
    const places = Object.entries(isObject(read) ? read : {}).filter(([, seen]) => isObject(seen));
    return Object.fromEntries(places.map(([place, seen]) => [place, soundOf(seen as SeenPlace)]));
  } catch {
    return {};
  }
}

function soundOf({ file, selection }: SeenPlace): SeenPlace {
  const { path, range } = selection ?? {};
  const lines = [range?.start?.line, range?.start?.column, range?.end?.line, range?.end?.column];
  return {
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof path === "string" && range && lines.every(Number.isInteger)
      ? { selection: { path, range } }
      : {}),
  };
}

const isObject = (value: unknown) => typeof value === "object" && value !== null;

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
