// What the page remembers over a reload: drafts, what was sent, opened details, small wishes.
import { createStore, produce } from "solid-js/store";
import type { Host } from "../host/host";
import type { Draft } from "./room";

const KEY = "bascule.page.v1";
const SAVE_MS = 250;
const MAX_SENT = 100; // of one session
const MAX_SESSIONS = 200; // remembered; the ones used longest ago go first
const MAX_OPEN = 500; // details of one session
const MAX_SENT_TEXT = 200_000; // characters of all that was sent in one session
const MAX_DRAFT = 1_000_000; // characters of a draft; a longer one is kept in full until the page is reloaded
const MAX_KEPT = 2_000_000; // characters in all; a browser gives some 5 million, and keeps nothing beyond

interface OfSession {
  draft: Draft;
  sent: string[];
  open: Record<string, boolean>;
  usedAtMs: number;
  folder?: string; // of a session without a prompt: its draft outlives it
}

interface KeptMemory {
  sessions: Record<string, OfSession>;
  wishes: Record<string, string>;
}

const EMPTY: Draft = { text: "", files: [], context: {} };

export class Memory {
  private kept: KeptMemory;
  private set: ReturnType<typeof createStore<KeptMemory>>[1];
  private fresh = { sessions: new Set<string>(), wishes: new Set<string>() }; // what is not stored yet
  private typed = new Set<string>(); // sessions with a draft from here: no other window's takes its place
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: Host) {
    [this.kept, this.set] = createStore<KeptMemory>(read(host.load(KEY)));
  }

  draft(session: string): Draft {
    return this.kept.sessions[session]?.draft ?? EMPTY;
  }

  /// `folder` names the one of a session without a prompt, which the daemon forgets when it ends.
  setDraft(session: string, draft: Partial<Draft>, folder?: string): void {
    const whole = { ...this.draft(session), ...draft };
    this.change(session, (one) => {
      one.draft = whole;
      if (isEmpty(whole)) delete one.folder;
      else if (folder) one.folder = folder;
    });
    if (isEmpty(whole)) this.typed.delete(session);
    else this.typed.add(session);
  }

  /// Where a draft was written whose session had no prompt yet; undefined without one.
  draftFolder(session: string): string | undefined {
    return this.kept.sessions[session]?.folder;
  }

  /// The latest draft of a folder whose session is gone moves to another session.
  adoptDraft(to: string, folder: string, isGone: (session: string) => boolean): void {
    const lost = Object.entries(this.kept.sessions)
      .filter(([session, one]) => one.folder === folder && session !== to && isGone(session))
      .sort(([, a], [, b]) => b.usedAtMs - a.usedAtMs)[0]?.[0];
    if (lost === undefined) return;
    this.setDraft(to, this.draft(lost), folder);
    this.setDraft(lost, EMPTY);
  }

  sent(session: string): readonly string[] {
    return this.kept.sessions[session]?.sent ?? [];
  }

  /// The same text twice in a row is one entry.
  remember(session: string, text: string): void {
    if (this.sent(session).at(-1) === text) return;
    this.change(session, (one) => {
      one.sent = latest([...one.sent, text]);
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
    this.fresh.wishes.add(name);
    this.saveSoon();
  }

  /// Now, because the page may be about to go. What other windows of the browser wrote meanwhile stays.
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const stored = read(this.host.load(KEY));
    for (const name of this.fresh.sessions) {
      const others = stored.sessions[name]?.sent ?? [];
      put(stored.sessions, this.kept.sessions, name, (one) => asStored(withSent(one, others)));
    }
    for (const name of this.typed) {
      const one = stored.sessions[name];
      if (one) stored.sessions[name] = asStored({ ...one, draft: this.draft(name) });
    }
    for (const name of this.fresh.wishes) put(stored.wishes, this.kept.wishes, name, String);
    this.fresh = { sessions: new Set(), wishes: new Set() };
    this.host.save(KEY, makeFit(stored));
  }

  private change(session: string, edit: (one: OfSession) => void): void {
    this.set(
      produce((kept) => {
        const one = kept.sessions[session] ?? { draft: EMPTY, sent: [], open: {}, usedAtMs: 0 };
        kept.sessions[session] = one;
        one.usedAtMs = Date.now();
        edit(one);
        if (Object.keys(kept.sessions).length > MAX_SESSIONS) forgetOldest(kept.sessions);
      }),
    );
    this.fresh.sessions.add(session);
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

/// What was sent last, as much of it as is kept; the last one in any case.
function latest(sent: readonly string[]): string[] {
  let from = sent.length - 1;
  let size = sent[from]?.length ?? 0;
  for (let before = sent[from - 1]; before !== undefined; before = sent[from - 1]) {
    size += before.length;
    if (size > MAX_SENT_TEXT || sent.length - from >= MAX_SENT) break;
    from--;
  }
  return sent.slice(from);
}

function put<T>(to: Record<string, T>, from: Record<string, T>, name: string, make: (value: T) => T): void {
  const value = from[name];
  if (value === undefined) delete to[name];
  else to[name] = make(value);
}

/// Two windows may speak in one session: what the other one sent stays, before what was sent here.
function withSent(one: OfSession, others: readonly string[]): OfSession {
  return { ...one, sent: latest([...others.filter((text) => !one.sent.includes(text)), ...one.sent]) };
}

function isEmpty(draft: Draft): boolean {
  return draft.text === "" && draft.files.length === 0;
}

/// Whole or not at all: half a draft would be sent as if it were one.
function asStored(one: OfSession): OfSession {
  const text = one.draft.text.length > MAX_DRAFT ? "" : one.draft.text;
  return { ...one, draft: { ...one.draft, text }, sent: one.sent.filter((sent) => sent.length <= MAX_DRAFT) };
}

/// As text that a browser stores: the sessions used longest ago make room.
function makeFit(kept: KeptMemory): string {
  let text = JSON.stringify(kept);
  while (text.length > MAX_KEPT || Object.keys(kept.sessions).length > MAX_SESSIONS) {
    if (!forgetOldest(kept.sessions)) break;
    text = JSON.stringify(kept);
  }
  return text;
}

/// False when there is none.
function forgetOldest(sessions: Record<string, OfSession>): boolean {
  const names = Object.keys(sessions);
  const age = (name: string) => sessions[name]?.usedAtMs ?? 0;
  const oldest = names.reduce((a, b) => (age(a) <= age(b) ? a : b), names[0] ?? "");
  return names.length > 0 && delete sessions[oldest];
}

/// Anything not in our format is dropped: data from another version must not break the page.
export function read(text: string | null): KeptMemory {
  const empty: KeptMemory = { sessions: {}, wishes: {} };
  try {
    const kept = JSON.parse(text ?? "null") as Partial<KeptMemory> | null;
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
