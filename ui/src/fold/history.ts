// The agent's history, merged with what we saw ourselves.
import type { Block, Run } from "../model.gen";
import { LEFT_OPEN, SIDE_TEXTS, STATUS } from "./tables.gen";

type Progress = "inProgress" | "completed" | "failed" | "declined" | "cancelled";

/// The status of a block that came without one is that of its kind; undefined for kinds that have none.
export function statusOf(block: Block): Progress | undefined {
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

/// A page of the past merged run by run, and the blocks that it does not touch.
export function merged(
  blocks: readonly Block[],
  told: readonly Block[],
  past: ReadonlyMap<string, Run>,
): { page: Block[]; rest: Block[] } {
  const names = new Set(told.map((block) => block.id));
  const touches = (block: Block) => (block.run ? past.has(block.run) : false) || names.has(block.id);
  const ours = byRun(blocks.filter(touches));
  const theirs = byRun(told.map((block) => closed(block, past)));
  const runs = new Set([...past.keys(), ...theirs.keys()]);
  const page = [...runs].flatMap((run) => mergedRun(ours.get(run) ?? [], theirs.get(run) ?? []));
  return { page, rest: blocks.filter((block) => !touches(block)) };
}

/// Our order, the agent's content; blocks only the agent has follow the block before them in its history.
function mergedRun(ours: readonly Block[], told: readonly Block[]): Block[] {
  const order = ours.map((block) => block.id);
  const blocks = new Map(ours.map((block) => [block.id, block]));
  let at = 0;
  for (const block of told) {
    const place = order.indexOf(block.id);
    if (place < 0) order.splice(at, 0, block.id);
    at = place < 0 ? at + 1 : place + 1;
    blocks.set(block.id, keepingUntold(blocks.get(block.id), block));
  }
  return order.flatMap((id) => blocks.get(id) ?? []);
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
