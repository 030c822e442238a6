// The items of the log: blocks, neighbouring tool work folded into one, and a line where a run has ended.
import type { Outlined } from "../state/room";

export type Item =
  | { kind: "block"; key: string; id: string }
  | { kind: "group"; key: string; ids: readonly string[] }
  | { kind: "end"; key: string; run: string; ids: readonly string[] }; // the blocks of the run

const FOLDED: ReadonlySet<Outlined["kind"]> = new Set(["command", "mcp", "webSearch", "reasoning"]);
const LEAST = 2; // pieces of work that are worth a fold; a thought is none

/// `ended`: the runs that are over.
export function makeItems(outline: readonly Outlined[], ended: ReadonlySet<string>): Item[] {
  const items: Item[] = [];
  const ofRun = groupByRun(outline, ended);
  for (let at = 0; at < outline.length; ) {
    const end = Math.max(findStretch(outline, at), at + 1);
    const stretch = outline.slice(at, end);
    if (isFolded(stretch, outline[end], ended))
      items.push({ kind: "group", key: `group:${stretch[0]?.id}`, ids: stretch.map(({ id }) => id) });
    else for (const { id } of stretch) items.push({ kind: "block", key: id, id });
    const last = stretch.at(-1);
    const ids = ofRun.get(last?.run ?? "");
    if (last && ids?.at(-1) === last.id)
      items.push({ kind: "end", key: `end:${last.run}`, run: last.run, ids });
    at = end;
  }
  return items;
}

function groupByRun(outline: readonly Outlined[], ended: ReadonlySet<string>): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { id, run } of outline) {
    if (!ended.has(run)) continue;
    const known = ids.get(run);
    if (known) known.push(id);
    else ids.set(run, [id]);
  }
  return ids;
}

/// From here, as far as one run does tool work and nothing else.
function findStretch(outline: readonly Outlined[], from: number): number {
  const run = outline[from]?.run;
  let end = from;
  while (run && outline[end]?.run === run && FOLDED.has(outline[end]?.kind ?? "user")) end += 1;
  return end;
}

/// Only what is over, and what the agent has gone on from: nobody's reading is folded away under them.
function isFolded(
  stretch: readonly Outlined[],
  next: Outlined | undefined,
  ended: ReadonlySet<string>,
): boolean {
  const first = stretch[0];
  if (!first || stretch.some((entry) => entry.isGoing)) return false;
  if (stretch.filter((entry) => entry.kind !== "reasoning").length < LEAST) return false;
  return ended.has(first.run) || next?.run === first.run;
}

/// Which item a block is in.
export function findItem(items: readonly Item[], id: string): number {
  return items.findIndex((item) => {
    if (item.kind === "block") return item.id === id;
    return item.kind === "group" && item.ids.includes(id);
  });
}
