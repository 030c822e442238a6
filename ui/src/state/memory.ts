// What the page remembers over a reload: drafts, what was sent, opened details, small wishes.
import { createStore, produce } from "solid-js/store";
import type { Host } from "../host/host";
import type { Draft } from "./room";

const KEY = "bascule.page.v1";
const SAVE_MS = 250;
const MAX_SENT = 100; // of one session
const MAX_SESSIONS = 200; // remembered; the ones used longest ago go first
const MAX_OPEN = 500; // details of one session
const MAX_TEXT = 200_000; // of a draft

interface OfSession {
  draft: Draft;
  sent: string[];
  open: Record<string, boolean>;
  usedAtMs: number;
}

interface Kept {
  sessions: Record<string, OfSession>;
  wishes: Record<string, string>;
}

const EMPTY: Draft = { text: "", files: [], context: {} };

export class Memory {
  private kept: Kept;
  private set: ReturnType<typeof createStore<Kept>>[1];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: Host) {
    [this.kept, this.set] = createStore<Kept>(read(host.load(KEY)));
  }

  draft(session: string): Draft {
    return this.kept.sessions[session]?.draft ?? EMPTY;
  }

  setDraft(session: string, draft: Partial<Draft>): void {
    const whole = { ...this.draft(session), ...draft };
    this.change(session, (one) => {
      one.draft = { ...whole, text: whole.text.slice(0, MAX_TEXT) };
    });
  }

  sent(session: string): readonly string[] {
    return this.kept.sessions[session]?.sent ?? [];
  }

  /// The same text twice in a row is one entry.
  remember(session: string, text: string): void {
    if (this.sent(session).at(-1) === text) return;
    this.change(session, (one) => {
      one.sent = [...one.sent, text.slice(0, MAX_TEXT)].slice(-MAX_SENT);
    });
  }

  isOpen(session: string, key: string, otherwise: boolean): boolean {
    return this.kept.sessions[session]?.open[place(key)] ?? otherwise;
  }

  setOpen(session: string, key: string, open: boolean): void {
    if (this.kept.sessions[session]?.open[place(key)] === open) return;
    this.change(session, (one) => {
      one.open[place(key)] = open;
      const keys = Object.keys(one.open);
      if (keys.length > MAX_OPEN) delete one.open[keys[0] ?? ""];
    });
  }

  wish(name: string): string | undefined {
    return this.kept.wishes[name];
  }

  setWish(name: string, value: string): void {
    this.set("wishes", name, value);
    this.saveSoon();
  }

  /// Now, because the page may be about to go.
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.host.save(KEY, JSON.stringify(this.kept));
  }

  private change(session: string, edit: (one: OfSession) => void): void {
    this.set(
      produce((kept) => {
        const one = kept.sessions[session] ?? { draft: EMPTY, sent: [], open: {}, usedAtMs: 0 };
        kept.sessions[session] = one;
        one.usedAtMs = Date.now();
        edit(one);
        forgetOldest(kept.sessions);
      }),
    );
    this.saveSoon();
  }

  private saveSoon(): void {
    this.timer ??= setTimeout(() => this.save(), SAVE_MS);
  }
}

/// An agent names its blocks as it likes: `constructor` is no name of an object's own here.
function place(key: string): string {
  return `/${key}`;
}

function forgetOldest(sessions: Record<string, OfSession>): void {
  const names = Object.keys(sessions);
  if (names.length <= MAX_SESSIONS) return;
  const age = (name: string) => sessions[name]?.usedAtMs ?? 0;
  const oldest = names.reduce((a, b) => (age(a) <= age(b) ? a : b));
  delete sessions[oldest];
}

/// Whatever is not as we wrote it is forgotten: another version's memory must not break the page.
export function read(text: string | null): Kept {
  const empty: Kept = { sessions: {}, wishes: {} };
  try {
    const kept = JSON.parse(text ?? "null") as Partial<Kept> | null;
    if (typeof kept?.sessions !== "object" || typeof kept.wishes !== "object") return empty;
    return { sessions: onlySound(kept.sessions ?? {}), wishes: kept.wishes ?? {} };
  } catch {
    return empty;
  }
}

function onlySound(sessions: Record<string, OfSession>): Record<string, OfSession> {
  const sound = ([, one]: [string, OfSession]) =>
    typeof one?.draft?.text === "string" &&
    Array.isArray(one.draft.files) &&
    Array.isArray(one.sent) &&
    typeof one.open === "object";
  return Object.fromEntries(Object.entries(sessions).filter(sound));
}
