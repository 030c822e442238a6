// Which question is on the screen: one that is shown again because it changed is another.
import type { Ask } from "../model.gen";

export function keyOfAsk(session: string, ask: Ask): string {
  return `${session} ${ask.id} ${ask.shown ?? 0}`;
}

/// The question that an answer is given to, as it was shown.
export function refOfAsk(
  session: string,
  { id, shown }: Ask,
): { session_id: string; ask_id: string; shown?: number } {
  return { session_id: session, ask_id: id, ...(shown ? { shown } : {}) };
}
