// Overlays on top of the log, stacked: those underneath stay as they were.
import { createSignal } from "solid-js";
import type { Overlay } from "./room";

export const MAX_OVERLAYS = 8;

export class Overlays {
  private cell = createSignal<readonly Overlay[]>([]);
  readonly list = this.cell[0];

  /// Another file takes the place of the one that is seen.
  show(overlay: Overlay): void {
    const now = this.list();
    const isSame = now.at(-1)?.kind === overlay.kind;
    const under = isSame ? now.slice(0, -1) : now.slice(0, MAX_OVERLAYS - 1);
    this.cell[1]([...under, overlay]);
  }

  close(): void {
    this.cell[1](this.list().slice(0, -1));
  }
}
