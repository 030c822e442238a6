// Blocks that must not be taken away: those with the focus, and those that a selection reaches into.
import { type Accessor, createSignal, onCleanup } from "solid-js";

const MAX_KEPT = 200;

/// Ids of the first and the last block that are held.
export type Held = readonly string[];

export function createHeld(scroller: () => HTMLElement | undefined): Accessor<Held> {
  const [held, setHeld] = createSignal<Held>([], { equals: isSame });
  const look = () => {
    const root = scroller();
    if (root) setHeld(findHeld(root, document.getSelection(), document.activeElement));
  };
  document.addEventListener("selectionchange", look);
  document.addEventListener("focusin", look);
  document.addEventListener("focusout", look);
  onCleanup(() => {
    document.removeEventListener("selectionchange", look);
    document.removeEventListener("focusin", look);
    document.removeEventListener("focusout", look);
  });
  return held;
}

export function findHeld(root: HTMLElement, selection: Selection | null, focused: Element | null): string[] {
  const ends = selection && !selection.isCollapsed ? [selection.anchorNode, selection.focusNode] : [];
  const ids = [...ends, focused].map((node) => blockOf(root, node)).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

export function blockOf(root: HTMLElement, node: Node | null): string | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  if (!element || !root.contains(element)) return undefined;
  const item = element.closest<HTMLElement>("[data-item]") ?? element.closest<HTMLElement>("[data-block]");
  return item?.dataset.item ?? item?.dataset.block;
}

/// The places of what is held, and of all between: a selection covers them.
export function placesOf(held: Held, order: readonly string[]): number[] {
  const places = held.map((id) => order.indexOf(id)).filter((at) => at >= 0);
  if (places.length === 0) return [];
  const [first, last] = [Math.min(...places), Math.max(...places)];
  if (last - first > MAX_KEPT) return places;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function isSame(one: Held, other: Held): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
