// Whether the terminals are shown, and what they are asked to show; small, because the whole page knows it.
import { createSignal } from "solid-js";
import type { OpenPaneParams } from "../../model.gen";

/// What a part of the page wants of the terminals; taken by them once they are loaded.
export type PaneWish = { kind: "show"; pane: string } | { kind: "open"; params: OpenPaneParams };

const [isShown, setShown] = createSignal(false);
const [wishes, setWishes] = createSignal<readonly PaneWish[]>([]);

export const isDockShown = isShown;
export const paneWishes = wishes;

export function toggleDock(): void {
  setShown((now) => !now);
}

export function hideDock(): void {
  setShown(false);
}

export function wishPane(wish: PaneWish): void {
  setWishes((now) => [...now, wish]);
  setShown(true);
}

export function takeWishes(): readonly PaneWish[] {
  const taken = wishes();
  if (taken.length > 0) setWishes([]);
  return taken;
}
