// The keys of an Ask: y and n on its card, and for the first of several anywhere on the page.
import { createEffect, onCleanup } from "solid-js";
import type { Choice } from "../../model.gen";
import { findNo, findYes } from "./answers";

const SHORTCUTS: Record<string, (choices: readonly Choice[]) => Choice | undefined> = {
  y: findYes,
  n: findNo,
};
const TYPED_INTO = "input, textarea, select, [contenteditable]";
const BUSY_WITH = `${TYPED_INTO}, .asks-card, .xterm, [role=menu], [role=listbox]`; // the keys are theirs

/// With the focus on the card or a button in it: a letter that is typed into a field answers nothing.
export function chooseByKey(
  event: KeyboardEvent,
  card: HTMLElement,
  choices: readonly Choice[],
): Choice | undefined {
  if (event.isComposing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.target !== card && (event.target as Element).closest(TYPED_INTO)) return undefined;
  const choice = SHORTCUTS[event.key.toLowerCase()]?.(choices);
  if (choice) event.preventDefault();
  return choice;
}

/// While it is the first: what is pressed where no other key means anything.
export function hearAnywhere(isFirst: () => boolean, onKey: (event: KeyboardEvent) => void): void {
  createEffect(() => {
    if (!isFirst()) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (!event.defaultPrevented && !target.closest(BUSY_WITH) && !document.querySelector("dialog[open]"))
        onKey(event);
    };
    document.addEventListener("keydown", onKeyDown);
    onCleanup(() => document.removeEventListener("keydown", onKeyDown));
  });
}
