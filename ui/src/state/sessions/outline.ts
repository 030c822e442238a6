// The outline of a session: kind, run and progress of each block, kept apart from the texts that grow.
import { statusOf } from "../../fold/history";
import type { Block } from "../../model.gen";
import type { Outlined } from "../room";

export class Outline {
  private entries = new Map<string, Outlined>();

  /// An entry stays the same object as long as it says the same.
  list(order: readonly string[], find: (id: string) => Block | undefined): Outlined[] {
    const before = this.entries;
    this.entries = new Map();
    for (const id of order) {
      const block = find(id);
      if (!block) continue;
      const known = before.get(id);
      this.entries.set(id, known && isSame(known, block) ? known : outline(block));
    }
    return [...this.entries.values()];
  }

  /// Whether a block that was touched still is what the outline says of it.
  holds(id: string, block: Block | undefined): boolean {
    const known = this.entries.get(id);
    return known === undefined ? block === undefined : block !== undefined && isSame(known, block);
  }
}

function outline(block: Block): Outlined {
  return { id: block.id, kind: block.kind, run: block.run ?? "", isGoing: isGoing(block) };
}

function isSame(known: Outlined, block: Block): boolean {
  return known.kind === block.kind && known.run === (block.run ?? "") && known.isGoing === isGoing(block);
}

function isGoing(block: Block): boolean {
  return statusOf(block) === "inProgress";
}
