// A walk through what was sent: back with ↑, forth with ↓, and at the end the draft that was put aside.

export interface Walk {
  at: number; // of what was sent, the oldest is 0
  draft: string; // put aside by the first step back
}

export interface HistoryStep {
  walk: Walk | undefined;
  text: string;
}

export interface Caret {
  start: number;
  end: number;
}

/// The arrows walk only with no popup, the caret at the very start and nothing selected.
export function mayWalk(popup: boolean, caret: Caret): boolean {
  return !popup && caret.start === 0 && caret.end === 0;
}

export function walkBack(
  walk: Walk | undefined,
  sent: readonly string[],
  present: string,
): HistoryStep | undefined {
  const at = (walk?.at ?? sent.length) - 1;
  const text = sent[at];
  if (text === undefined) return undefined;
  return { walk: { at, draft: walk?.draft ?? present }, text };
}

export function walkForth(walk: Walk | undefined, sent: readonly string[]): HistoryStep | undefined {
  if (!walk) return undefined;
  const at = walk.at + 1;
  const text = sent[at];
  return text === undefined
    ? { walk: undefined, text: walk.draft }
    : { walk: { at, draft: walk.draft }, text };
}

/// The same text twice in a row is kept once.
export function isNew(sent: readonly string[], text: string): boolean {
  return text.trim() !== "" && sent.at(-1) !== text;
}
