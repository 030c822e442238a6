// The fold: Changes in, a session out. The same as Python's core/session/fold.py, held equal by tests/golden.
import type {
  Ask,
  AskClosed,
  Block,
  BlockPut,
  Change,
  Cleared,
  HistoryPut,
  Run,
  Session,
  TextGrew,
  TitleSet,
} from "../model.gen";
import { never } from "../never";
import { closed, keepingUntold, mergeHistory } from "./history";
import { MAX_BLOCKS, MAX_RUNS } from "./tables.gen";
import { emptyBlock, grown, settled } from "./texts";

// Who may name a session after whom: a person's name stays, and an agent's is better than its first words.
const KEEPS: Record<NonNullable<FoldedHead["title_by"]>, readonly TitleSet["by"][]> = {
  default: [],
  prompt: ["prompt"],
  agent: ["prompt"],
  person: ["prompt", "agent"],
};

type FoldedHead = Omit<Session, "blocks">;

/// What has become different since the last look.
export interface Touched {
  blocks: ReadonlySet<string>;
  order: boolean;
  head: boolean;
}

export class Fold {
  private plain: Omit<Session, "blocks" | "runs" | "asks">;
  private blocks: Map<string, Block>;
  private runs: Map<string, Run>;
  private asks: Map<string, Ask>;
  private touched = { blocks: new Set<string>(), order: false, head: false };

  constructor(session: Session) {
    const { blocks, runs, asks, ...plain } = session;
    this.plain = plain;
    this.blocks = new Map(blocks?.map((block) => [block.id, block]));
    this.runs = new Map(runs?.map((run) => [run.id, run]));
    this.asks = new Map(asks?.map((ask) => [ask.id, ask]));
  }

  applyAll(changes: readonly Change[]): void {
    for (const change of changes) this.apply(change);
  }

  apply(change: Change): void {
    switch (change.change) {
      case "textGrew":
        return this.grow(change);
      case "blockPut":
        return this.put(change);
      case "blockGone":
        return this.gone(change.block);
      case "historyPut":
        return this.history(change);
      case "runPut":
        return this.run(change.run);
      case "askOpened":
        this.asks.set(change.ask.id, change.ask);
        return this.headChanged({});
      case "askClosed":
        return this.askClosed(change);
      case "titleSet":
        return this.title(change);
      case "cleared":
        return this.cleared(change);
      case "statusSet":
        return this.headChanged({ status: change.status });
      case "usageSet":
        return this.headChanged({ usage: change.usage });
      case "diffSet":
        return this.headChanged({ diff: change.diff });
      case "queueSet":
        return this.headChanged({ queue: change.queue, queue_held: change.held ?? false });
      case "modelSet":
        return this.headChanged({ model: change.model, effort: change.effort ?? "" });
      case "capabilitiesSet":
        return this.headChanged({ capabilities: change.capabilities });
      case "hiddenSet":
        return this.headChanged({ hidden: change.hidden });
      case "placeSet":
        return this.headChanged({ place: change.place });
      case "deletedSet":
        return this.headChanged({ deleted_at_ms: change.at_ms });
      case "driverSet":
        return this.headChanged({ driver: change.driver });
      case "parentSet":
        return this.headChanged({ parent_thread: change.thread });
      case "elsewhereSet":
        return this.headChanged({ elsewhere: change.elsewhere });
      case "theirRightsSet": {
        const there = this.head().elsewhere;
        const { sandbox, approvals } = change;
        return there?.joined
          ? this.headChanged({ elsewhere: { ...there, sandbox, approvals } })
          : this.headChanged({});
      }
      default:
        return never(change);
    }
  }

  head(): FoldedHead {
    return { ...this.plain, runs: [...this.runs.values()], asks: [...this.asks.values()] };
  }

  session(): Session {
    return { ...this.head(), blocks: [...this.blocks.values()].map(settled) };
  }

  block(id: string): Block | undefined {
    return this.blocks.get(id);
  }

  order(): string[] {
    return [...this.blocks.keys()];
  }

  /// What has changed since this was last asked.
  drain(): Touched {
    const touched = this.touched;
    this.touched = { blocks: new Set(), order: false, head: false };
    return touched;
  }

  private grow(change: TextGrew): void {
    const block = this.blocks.get(change.block) ?? emptyBlock(change);
    this.set(grown(block, change));
  }

  /// Deltas are courtesy: the whole block replaces them.
  private put(change: BlockPut): void {
    if (change.first && !this.blocks.has(change.block.id)) {
      this.blocks = new Map([[change.block.id, change.block], ...this.blocks]);
      this.touched.order = true;
    }
    this.set(keepingUntold(this.blocks.get(change.block.id), change.block));
  }

  private set(block: Block): void {
    if (!this.blocks.has(block.id)) this.touched.order = true;
    this.blocks.set(block.id, block);
    this.touched.blocks.add(block.id);
    while (this.blocks.size > MAX_BLOCKS) this.dropOldest();
  }

  private dropOldest(): void {
    const oldest = this.blocks.keys().next().value;
    if (oldest === undefined) return;
    this.gone(oldest);
    this.headChanged({ dropped_blocks: (this.plain.dropped_blocks ?? 0) + 1 });
  }

  private gone(id: string): void {
    if (!this.blocks.delete(id)) return;
    this.touched.order = true;
    this.touched.blocks.add(id);
  }

  /// The agent's account of a block takes the place of ours; what only we have stays where it is.
  private history(change: HistoryPut): void {
    const past = new Map(change.runs.map((run) => [run.id, this.keepTokens(run)]));
    const blocks = mergeHistory([...this.blocks.values()], change.blocks, past, change.older ?? false);
    const kept = blocks.slice(-MAX_BLOCKS);
    this.blocks = new Map(kept.map((block) => [block.id, block]));
    for (const block of kept) this.touched.blocks.add(block.id);
    this.touched.order = true;
    this.mergeRuns(past, change.older ?? false);
    const dropped = (this.plain.dropped_blocks ?? 0) + blocks.length - kept.length;
    this.headChanged({ earlier: change.earlier ?? "", dropped_blocks: dropped });
  }

  /// An agent's history says what was done, not what it cost.
  private keepTokens(run: Run): Run {
    const tokens = this.runs.get(run.id)?.tokens;
    return tokens && !run.tokens ? { ...run, tokens } : run;
  }

  private mergeRuns(past: ReadonlyMap<string, Run>, older: boolean): void {
    const rest = [...this.runs.values()].filter((run) => !past.has(run.id));
    const runs = older ? [...past.values(), ...rest] : [...rest, ...past.values()];
    this.runs = new Map(runs.slice(-MAX_RUNS).map((run) => [run.id, run]));
  }

  private run(run: Run): void {
    this.runs.set(run.id, run);
    if ((run.outcome ?? "running") !== "running") this.endOpenBlocks(run);
    while (this.runs.size > MAX_RUNS) this.runs.delete(this.runs.keys().next().value ?? "");
    this.headChanged({});
  }

  /// Nothing in an ended run is still in progress, even if the agent didn't say so.
  private endOpenBlocks(run: Run): void {
    const runs = new Map([[run.id, run]]);
    for (const block of this.blocks.values()) {
      if (block.run !== run.id) continue;
      const ended = closed(block, runs);
      if (ended !== block) this.set(ended);
    }
  }

  private askClosed(change: AskClosed): void {
    this.asks.delete(change.ask);
    this.headChanged({});
  }

  private title(change: TitleSet): void {
    if (KEEPS[this.plain.title_by ?? "default"].includes(change.by)) return;
    this.headChanged({ title: change.title, title_by: change.by });
  }

  private cleared(change: Cleared): void {
    this.blocks.clear();
    this.runs.clear();
    this.asks.clear();
    this.touched.order = true;
    this.headChanged({
      thread: change.thread,
      status: "unknown",
      usage: null,
      diff: null,
      earlier: "",
      dropped_blocks: 0,
    });
  }

  private headChanged(values: Partial<FoldedHead>): void {
    this.plain = { ...this.plain, ...values };
    this.touched.head = true;
  }
}
