// A guard against hasty answers: what has just appeared or moved under the hand takes none.
import { type Accessor, createEffect, on } from "solid-js";

export const SETTLE_MS = 400; // a person who types does not see so fast

export interface Guard {
  /// Whether the shown list has been stable long enough for a click to be deliberate.
  isSettled(): boolean;
}

/// Restarts whenever the shown list changes.
export function makeGuard(shown: Accessor<unknown>, now: () => number = () => performance.now()): Guard {
  let changedAtMs = now();
  createEffect(
    on(shown, () => {
      changedAtMs = now();
    }),
  );
  return { isSettled: () => now() - changedAtMs >= SETTLE_MS };
}
