// A mirror: one session folded from its snapshot and Changes, shown a frame at a time.
import { batch, createSignal, type Signal } from "solid-js";
import { Fold } from "../../fold/fold";
import type { Block, ChangedNotify, SnapshotNotify } from "../../model.gen";
import type { Head, Mirror, Outlined } from "../room";
import { Outline } from "./outline";

export class LiveMirror implements Mirror {
  private fold: Fold;
  private seq: number;
  private lost = false;
  private cells = new Map<string, Signal<Block | undefined>>();
  private headCell: Signal<Head>;
  private orderCell: Signal<readonly string[]>;
  private outlineCell: Signal<readonly Outlined[]>;
  private outlined = new Outline();

  constructor(
    readonly id: string,
    snapshot: SnapshotNotify,
  ) {
    this.fold = new Fold(snapshot.session);
    this.seq = snapshot.seq;
    this.headCell = createSignal(this.fold.head());
    this.orderCell = createSignal<readonly string[]>(this.fold.order());
    this.outlineCell = createSignal<readonly Outlined[]>(this.outlineNow());
  }

  head = (): Head => this.headCell[0]();
  order = (): readonly string[] => this.orderCell[0]();

  outline = (): readonly Outlined[] => this.outlineCell[0]();

  block(id: string): Block | undefined {
    return this.cell(id)[0]();
  }

  /// It starts over: after a gap, a reconnect, or because we were too slow.
  restart(snapshot: SnapshotNotify): void {
    this.fold = new Fold(snapshot.session);
    this.seq = snapshot.seq;
    this.lost = false;
    batch(() => {
      this.headCell[1](this.fold.head());
      this.orderCell[1](this.fold.order());
      this.outlineCell[1](this.outlineNow());
      for (const [id, cell] of this.cells) cell[1](() => this.fold.block(id));
    });
  }

  /// False when something was missed and a new snapshot is needed.
  advance(changed: ChangedNotify): boolean {
    if (this.lost) return true; // it has been asked for already
    this.lost = changed.after !== this.seq;
    if (this.lost) return false;
    this.seq = changed.seq;
    this.fold.applyAll(changed.changes);
    return true;
  }

  /// What has come since the last frame is shown, all at once.
  publish(): void {
    const touched = this.fold.drain();
    const isOther = [...touched.blocks].some((id) => !this.outlined.holds(id, this.fold.block(id)));
    batch(() => {
      if (touched.order || isOther) this.outlineCell[1](this.outlineNow());
      for (const id of touched.blocks) this.show(id);
      if (touched.order) this.orderCell[1](this.fold.order());
      if (touched.head) this.headCell[1](this.fold.head());
    });
  }

  private outlineNow(): Outlined[] {
    return this.outlined.list(this.fold.order(), (id) => this.fold.block(id));
  }

  private show(id: string): void {
    const block = this.fold.block(id);
    this.cells.get(id)?.[1](() => block);
    if (!block) this.cells.delete(id);
  }

  private cell(id: string): Signal<Block | undefined> {
    const known = this.cells.get(id);
    if (known) return known;
    const cell = createSignal(this.fold.block(id));
    this.cells.set(id, cell);
    return cell;
  }
}
