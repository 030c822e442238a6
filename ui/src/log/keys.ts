// Keys that go to either end of the log.

export type Goal = "top" | "end";

const GOALS: Record<string, Goal> = { Home: "top", End: "end" };
const MAC_GOALS: Record<string, Goal> = { ArrowUp: "top", ArrowDown: "end" }; // with the command key

/// Undefined: the key is none of these, or belongs to what has the focus: code and output scroll by themselves.
export function findGoal(event: KeyboardEvent, log: HTMLElement): Goal | undefined {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.shiftKey || event.altKey) return undefined;
  if (target !== log && !target?.matches("button, summary, a")) return undefined;
  return event.metaKey ? MAC_GOALS[event.key] : GOALS[event.key];
}
