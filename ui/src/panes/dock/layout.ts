// Tabs of panes, each split into any number of them: a small tree that is changed by replacing it.

export type SplitDirection = "row" | "column"; // side by side, or one below the other

export type Tree =
  | { readonly kind: "pane"; readonly id: string }
  | {
      readonly kind: "split";
      readonly way: SplitDirection;
      readonly share: number; // of the first, between 0 and 1
      readonly first: Tree;
      readonly second: Tree;
    };

export interface PaneLayout {
  readonly tabs: readonly Tree[];
  readonly active: string; // the pane that has or had the keys
}

export const EMPTY: PaneLayout = { tabs: [], active: "" };
const MAX_DEPTH = 12; // of what a browser kept
const LEAST_SHARE = 0.1;

export function listPanes(tree: Tree): string[] {
  return tree.kind === "pane" ? [tree.id] : [...listPanes(tree.first), ...listPanes(tree.second)];
}

export function tabOf(layout: PaneLayout, id: string): Tree | undefined {
  return layout.tabs.find((tab) => listPanes(tab).includes(id));
}

/// The daemon may have announced it already: it is moved then, and never there twice.
export function addTab(layout: PaneLayout, id: string): PaneLayout {
  const { tabs } = removePane(layout, id);
  return { tabs: [...tabs, { kind: "pane", id }], active: id };
}

/// A new pane beside one that is there; without it, in a tab of its own.
export function splitPane(layout: PaneLayout, at: string, way: SplitDirection, id: string): PaneLayout {
  if (at === id || !tabOf(layout, at)) return addTab(layout, id);
  const split = (tree: Tree): Tree => {
    if (tree.kind === "split") return { ...tree, first: split(tree.first), second: split(tree.second) };
    return tree.id === at
      ? { kind: "split", way, share: 0.5, first: tree, second: { kind: "pane", id } }
      : tree;
  };
  return { tabs: removePane(layout, id).tabs.map(split), active: id };
}

/// Where there is no room for splits: each pane in a tab of its own.
export function unsplit(layout: PaneLayout): PaneLayout {
  return { ...layout, tabs: layout.tabs.flatMap(listPanes).map((id): Tree => ({ kind: "pane", id })) };
}

export function removePane(layout: PaneLayout, id: string): PaneLayout {
  const at = layout.tabs.findIndex((tab) => listPanes(tab).includes(id));
  if (at < 0) return layout;
  const before = listPanes(layout.tabs[at] as Tree);
  const tabs = layout.tabs.map((tab) => without(tab, id)).filter((tab) => tab !== undefined);
  if (layout.active !== id) return { ...layout, tabs };
  const place = before.indexOf(id);
  const beside = before[place - 1] ?? before[place + 1];
  const near = tabs[at] ?? tabs[at - 1];
  return { tabs, active: beside ?? (near ? (listPanes(near)[0] ?? "") : "") };
}

function without(tree: Tree, id: string): Tree | undefined {
  if (tree.kind === "pane") return tree.id === id ? undefined : tree;
  const [first, second] = [without(tree.first, id), without(tree.second, id)];
  return first && second ? { ...tree, first, second } : (first ?? second);
}

/// How much of a split its first part takes; a split is found by what it holds.
export function shareSplit(layout: PaneLayout, split: Tree, share: number): PaneLayout {
  const fitted = Math.min(Math.max(share, LEAST_SHARE), 1 - LEAST_SHARE);
  const key = keyOf(split);
  const change = (tree: Tree): Tree => {
    if (tree.kind === "pane") return tree;
    if (keyOf(tree) === key) return { ...tree, share: fitted };
    return { ...tree, first: change(tree.first), second: change(tree.second) };
  };
  return { ...layout, tabs: layout.tabs.map(change) };
}

export function keyOf(tree: Tree): string {
  return listPanes(tree).join(" ");
}

/// What there is, in the places that are remembered: panes that are gone leave, others come as tabs.
export function settle(layout: PaneLayout, present: readonly string[]): PaneLayout {
  const gone = layout.tabs.flatMap(listPanes).filter((id) => !present.includes(id));
  const left = gone.reduce(removePane, layout);
  const known = new Set(left.tabs.flatMap(listPanes));
  const added = present.filter((id) => !known.has(id)).map((id): Tree => ({ kind: "pane", id }));
  if (gone.length === 0 && added.length === 0 && known.has(left.active)) return layout;
  const tabs = [...left.tabs, ...added];
  const first = tabs[0];
  const active = present.includes(left.active) ? left.active : first ? (listPanes(first)[0] ?? "") : "";
  return { tabs, active };
}

/// What a browser kept; anything odd in it is an empty layout.
export function parseLayout(text: string | undefined): PaneLayout {
  if (!text) return EMPTY;
  try {
    const read = JSON.parse(text) as PaneLayout;
    const ids = read.tabs.flatMap(listPanes);
    const isWhole =
      read.tabs.every((tab) => isTree(tab, 0)) &&
      new Set(ids).size === ids.length &&
      typeof read.active === "string";
    return isWhole ? { tabs: read.tabs, active: read.active } : EMPTY;
  } catch {
    return EMPTY;
  }
}

function isTree(tree: Tree, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (tree.kind === "pane") return typeof tree.id === "string";
  const isSplit = tree.kind === "split" && (tree.way === "row" || tree.way === "column");
  const isShared = tree.share >= LEAST_SHARE && tree.share <= 1 - LEAST_SHARE;
  return isSplit && isShared && isTree(tree.first, depth + 1) && isTree(tree.second, depth + 1);
}

/// Where a pane or a divider is, in parts of the whole.
export interface PanePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Placed {
  readonly panes: ReadonlyMap<string, PanePlace>;
  readonly splits: readonly { readonly tree: Extract<Tree, { kind: "split" }>; readonly place: PanePlace }[];
}

const WHOLE: PanePlace = { left: 0, top: 0, width: 1, height: 1 };

/// Flat: a pane keeps its element, and its terminal, wherever it moves.
export function placeTree(tree: Tree, place: PanePlace = WHOLE): Placed {
  if (tree.kind === "pane") return { panes: new Map([[tree.id, place]]), splits: [] };
  const [one, two] = halves(tree.way, tree.share, place);
  const [first, second] = [placeTree(tree.first, one), placeTree(tree.second, two)];
  return {
    panes: new Map([...first.panes, ...second.panes]),
    splits: [{ tree, place }, ...first.splits, ...second.splits],
  };
}

function halves(way: SplitDirection, share: number, at: PanePlace): [PanePlace, PanePlace] {
  if (way === "row") {
    const width = at.width * share;
    return [
      { ...at, width },
      { ...at, left: at.left + width, width: at.width - width },
    ];
  }
  const height = at.height * share;
  return [
    { ...at, height },
    { ...at, top: at.top + height, height: at.height - height },
  ];
}
