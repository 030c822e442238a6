// Making living elements like fresh ones, keeping every node that need not go: a selection in them stays.
import { grow } from "../growing";

/// Replaces a `pre` of the new tree: created once, then updated.
export interface Slots {
  make(place: HTMLElement): HTMLElement;
  update(living: HTMLElement, place: HTMLElement): void;
  isSlot(living: Node): boolean;
  drop(living: HTMLElement): void;
}

export function morphChildren(living: Node, fresh: Node, slots: Slots): void {
  const wanted = [...fresh.childNodes];
  wanted.forEach((node, index) => {
    const there = living.childNodes[index];
    if (there && morph(there, node, slots)) return;
    const made = adopt(node, slots);
    if (there) {
      release(there, slots);
      living.replaceChild(made, there);
    } else {
      living.appendChild(made);
    }
  });
  while (living.childNodes.length > wanted.length) {
    const extra = living.lastChild as Node;
    release(extra, slots);
    living.removeChild(extra);
  }
}

/// False when the one cannot become the other.
function morph(living: Node, fresh: Node, slots: Slots): boolean {
  if (living instanceof Text && fresh instanceof Text) {
    grow(living, fresh.data);
    return true;
  }
  if (!(living instanceof HTMLElement) || !(fresh instanceof HTMLElement)) return false;
  if (isPlace(fresh)) {
    if (!slots.isSlot(living)) return false;
    slots.update(living, fresh);
    return true;
  }
  if (slots.isSlot(living) || living.nodeName !== fresh.nodeName) return false;
  copyAttributes(living, fresh);
  morphChildren(living, fresh, slots);
  return true;
}

function copyAttributes(living: HTMLElement, fresh: HTMLElement): void {
  for (const name of living.getAttributeNames()) if (!fresh.hasAttribute(name)) living.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name) ?? "";
    if (living.getAttribute(name) !== value) living.setAttribute(name, value);
  }
}

/// The fresh node itself, with its places filled.
function adopt(fresh: Node, slots: Slots): Node {
  if (fresh instanceof HTMLElement && isPlace(fresh)) return slots.make(fresh);
  const made = fresh.cloneNode(false);
  for (const child of fresh.childNodes) made.appendChild(adopt(child, slots));
  return made;
}

export function release(node: Node, slots: Slots): void {
  if (slots.isSlot(node)) slots.drop(node as HTMLElement);
  else for (const child of node.childNodes) release(child, slots);
}

function isPlace(node: HTMLElement): boolean {
  return node.nodeName === "PRE" && node.hasAttribute("data-code");
}
