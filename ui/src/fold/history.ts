// The agent's history, merged with what we saw ourselves.
import type { Block, Run } from "../model.gen";
import { LEFT_OPEN, SIDE_TEXTS, STATUS } from "./tables.gen";

type BlockProgress = "inProgress" | "completed" | "failed" | "declined" | "cancelled";

/// The status of a block that came without one is that of its kind; undefined for kinds that have none.
export function statusOf(block: Block): BlockProgress | undefined {
  return ("status" in block && block.status) || STATUS[block.kind];
}

/// As it is when its run has ended.
export function closed(block: Block, runs: ReadonlyMap<string, Run>): Block {
  const run = block.run ? runs.get(block.run) : undefined;
  const status = run && LEFT_OPEN[run.outcome ?? "running"];
  if (!status || statusOf(block) !== "inProgress") return block;
  return { ...block, status } as Block;
}

/// A completed item replaces its deltas, but lacks the side texts: they keep what has grown unless it is sent
/// again. So does the time of a block: the agent's history may not include it.
export function keepingUntold(old: Block | undefined, next: Block): Block {
  if (old?.kind !== next.kind) return next;
  const at_ms = next.at_ms ?? old.at_ms;
  const timed = at_ms == null ? next : ({ ...next, at_ms } as Block);
  const before = old as unknown as Record<string, string>;
  const after = next as unknown as Record<string, string>;
  const names = (SIDE_TEXTS[next.kind] ?? []).filter((name) => !after[name] && before[name]);
  if (names.length === 0) return timed;
  const kept = Object.fromEntries(names.map((name) => [name, before[name]]));
  const dropped = Math.max(old.dropped ?? 0, next.dropped ?? 0);
  return { ...timed, ...kept, ...(dropped ? { dropped } : {}) } as Block;
}

type HistoryPlace = readonly [number, number]; // after which of our blocks, and which of those that are put there

/// What we have stays in its order. What only the agent has follows what it has before it in that run;
/// a run of which we have nothing comes before the next one that we know, or at the end.
export function mergeHistory(
  ours: readonly Block[],
  theirs: readonly Block[],
  past: ReadonlyMap<string, Run>,
  older: boolean,
): Block[] {
  const blocks = new Map(ours.map((block) => [block.id, block]));
  const places = new Map<string, HistoryPlace>(ours.map((block, at) => [block.id, [at, 0]]));
  const runs = byRun(theirs.map((block) => closed(block, past)));
  const order = [...new Set([...past.keys(), ...runs.keys()])];
  const starts = findStarts(ours, runs, order, older);
  let put = 0;
  for (const run of order) {
    let at = (starts.get(run) ?? 0) - 1;
    for (const block of runs.get(run) ?? []) {
      const known = blocks.has(block.id) ? places.get(block.id) : undefined;
      if (known) at = known[0];
      else places.set(block.id, [at, ++put]);
      blocks.set(block.id, keepingUntold(blocks.get(block.id), block));
    }
  }
  const place = (block: Block): HistoryPlace => places.get(block.id) ?? [0, 0];
  return [...blocks.values()].sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
}

/// Where each run begins in our log.
function findStarts(
  ours: readonly Block[],
  theirs: ReadonlyMap<string, readonly Block[]>,
  order: readonly string[],
  older: boolean,
): Map<string, number> {
  const runOf = new Map(
    [...theirs].flatMap(([run, blocks]) => blocks.map((block) => [block.id, run] as const)),
  );
  const asked = new Set(order);
  const first = new Map<string, number>();
  let last = 0;
  for (const [at, block] of ours.entries()) {
    const run = runOf.get(block.id) ?? block.run ?? "";
    if (!asked.has(run) || !(run || runOf.has(block.id))) continue;
    if (!first.has(run)) first.set(run, at);
    last = at + 1;
  }
  let after = older ? last : ours.length;
  const starts = new Map<string, number>();
  for (const run of [...order].reverse()) {
    after = first.get(run) ?? after;
    starts.set(run, after);
  }
  return starts;
}

function byRun(blocks: readonly Block[]): Map<string, Block[]> {
  const grouped = new Map<string, Block[]>();
  for (const block of blocks) {
    const run = block.run ?? "";
    const group = grouped.get(run);
    if (group) group.push(block);
    else grouped.set(run, [block]);
  }
  return grouped;
}
