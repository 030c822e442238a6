// What is beside the log: one diff or one review, of the session that is shown.
import { createSignal } from "solid-js";
import type { Beside } from "./room";

export class BesidePane {
  private cell = createSignal<Beside>();
  private claim = createSignal("");
  readonly now = this.cell[0];
  /// The Ask that it shows itself, so that it isn't asked twice on one screen; "" when there is none.
  readonly claimed = this.claim[0];

  show(beside: Beside): void {
    this.cell[1](beside);
  }

  close(): void {
    this.cell[1](undefined);
  }

  claimAsk(id: string): void {
    this.claim[1](id);
  }

  /// Another session is shown: what belongs to the one before goes with it.
  leave(session: string): void {
    if (this.now() && this.now()?.session !== session) this.close();
  }
}

export function isBeside(shown: { kind: string }): shown is Beside {
  return shown.kind === "diff" || shown.kind === "review";
}
