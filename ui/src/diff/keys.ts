// What a key does in a diff.

export type DiffCommand =
  | "nextChange"
  | "previousChange"
  | "down"
  | "up"
  | "nextFile"
  | "previousFile"
  | "fold"
  | "choose"
  | "act"
  | "comment"
  | "open";

export const COMMANDS: Readonly<Record<string, DiffCommand>> = {
  n: "nextChange",
  p: "previousChange",
  j: "down",
  k: "up",
  "]": "nextFile",
  "[": "previousFile",
  Enter: "fold",
  x: "choose",
  r: "act",
  c: "comment",
  o: "open",
};

/// Nothing while the person is typing, ticking or pressing a button, or holding a modifier.
export function commandOf(event: KeyboardEvent): DiffCommand | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  const target =
    event.target instanceof Element ? event.target.closest("input, textarea, select, button, a") : null;
  const isTick = target instanceof HTMLInputElement && target.type === "checkbox";
  if (target && (event.key === "Enter" || !(isTick || target.matches("button, a")))) return undefined;
  return COMMANDS[event.key];
}
