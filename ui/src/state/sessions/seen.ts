// Which sessions the person has seen as they are now: those that they looked at, and all up to a moment.
import type { Card } from "../../model.gen";

const WISH = "seen";
const MAX_SESSIONS = 200; // the ones looked at longest ago go first

interface KeptSeen {
  allAtMs: number; // whatever happened before counts as seen
  sessions: Record<string, number>; // its last change, as it was when it was looked at
}

interface Wishes {
  wish(name: string): string | undefined;
  setWish(name: string, value: string): void;
}

export class SeenSessions {
  constructor(
    private readonly wishes: Wishes,
    nowMs: number,
  ) {
    // Who is here for the first time has missed nothing.
    if (parse(wishes.wish(WISH)) === undefined) this.keep({ allAtMs: nowMs, sessions: {} });
  }

  has(card: Pick<Card, "session_id" | "updated_at_ms">): boolean {
    const kept = this.kept();
    return (card.updated_at_ms ?? 0) <= Math.max(kept.allAtMs, kept.sessions[card.session_id] ?? 0);
  }

  look(card: Pick<Card, "session_id" | "updated_at_ms">): void {
    if (this.has(card)) return;
    const kept = this.kept();
    const { [card.session_id]: _, ...others } = kept.sessions;
    const latest = Object.entries(others).slice(1 - MAX_SESSIONS);
    this.keep({
      ...kept,
      sessions: { ...Object.fromEntries(latest), [card.session_id]: card.updated_at_ms ?? 0 },
    });
  }

  lookAtAll(nowMs: number): void {
    this.keep({ allAtMs: nowMs, sessions: {} });
  }

  private kept(): KeptSeen {
    return parse(this.wishes.wish(WISH)) ?? { allAtMs: 0, sessions: {} };
  }

  private keep(kept: KeptSeen): void {
    this.wishes.setWish(WISH, JSON.stringify(kept));
  }
}

function parse(text: string | undefined): KeptSeen | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as Partial<KeptSeen> | null;
    if (typeof kept?.allAtMs !== "number" || typeof kept.sessions !== "object") return undefined;
    return { allAtMs: kept.allAtMs, sessions: kept.sessions ?? {} };
  } catch {
    return undefined;
  }
}
