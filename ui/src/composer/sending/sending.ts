// What is on its way to the daemon: kept until it is answered, sent again after a lost connection, never doubled.
import { createEffect, createSignal } from "solid-js";
import { Lost, Refused, type Room } from "../../state/room";
import { toastRefusal } from "../../text/refusal";
import { sayFault } from "../../text/visible";
import { isPrompt } from "../suggestions/slash";
import { t } from "../texts";
import { isEmpty, makeStart, type Outgoing } from "./prompt";

const STORED = "composer.unsent";
export const MAX_UNSENT = 50; // prompts that wait for a connection

export interface Unsent extends Outgoing {
  lost: boolean; // no reply arrived; false while it is on its way
}

export interface Sending {
  /// What was sent last, a new value each time; nothing before the first.
  latest(): Outgoing | undefined;
  /// One session's prompts without a reply.
  unsent(session: string): readonly Unsent[];
  send(out: Outgoing): Promise<void>;
  again(key: string): Promise<void>;
  /// Takes it out, for the person to change or to forget.
  take(key: string): Unsent | undefined;
}

export function makeSending(room: Room): Sending {
  const [all, setAll] = createSignal<readonly Unsent[]>(parseUnsent(room.host.load(STORED)));

  const [latest, setLatest] = createSignal<Outgoing>();

  function change(next: readonly Unsent[]): void {
    const mine = new Set([...all(), ...next].map((one) => one.key));
    setAll(next);
    // A command in flight is not kept over a reload: it would be carried out twice.
    const kept = next.filter((one) => one.lost || isPrompt(one.text));
    const others = parseUnsent(room.host.load(STORED)).filter((one) => !mine.has(one.key)); // of other windows
    room.host.save(STORED, JSON.stringify([...others, ...kept]));
  }

  const without = (key: string) => all().filter((one) => one.key !== key);
  const put = (out: Outgoing, lost: boolean) => change([...without(out.key), { ...out, lost }]);

  async function send(out: Outgoing): Promise<void> {
    if (all().length >= MAX_UNSENT) {
      giveBack(room, out);
      room.toast("error", t("tooManyUnsent", { max: MAX_UNSENT }));
      return;
    }
    setLatest(out);
    await attempt(out);
  }

  async function attempt(out: Outgoing): Promise<void> {
    put(out, false);
    try {
      const went = await room.call("run.start", makeStart(out, drivenByOther(room, out.session)));
      change(without(out.key));
      if (went.session_id && went.session_id !== out.session) room.activate(went.session_id);
    } catch (fault) {
      if (fault instanceof Lost) {
        put(out, true);
        return;
      }
      change(without(out.key));
      if (isPrompt(out.text)) giveBack(room, out);
      if (!(fault instanceof Refused)) throw fault;
      toastRefusal(room, sayFault(fault), fault.said, "error", out.session);
    }
  }

  async function again(key: string): Promise<void> {
    const one = all().find((each) => each.key === key && each.lost);
    if (one) await attempt(one);
  }

  function take(key: string): Unsent | undefined {
    const one = all().find((each) => each.key === key);
    if (one) change(without(key));
    return one;
  }

  // The daemon knows a prompt by its key, so it may be sent again; a command has none, so a person decides.
  createEffect<boolean>((was) => {
    const open = room.connection().state === "open";
    if (open && !was) for (const one of all()) if (one.lost && isPrompt(one.text)) void again(one.key);
    return open;
  }, false);

  return {
    latest,
    unsent: (session) => all().filter((one) => one.session === session && one.lost),
    send,
    again,
    take,
  };
}

/// At rest the name of the driver only says who spoke last, and anybody may speak.
export function drivenByOther(room: Room, session: string): boolean {
  const driver = room.mirror(session)?.head().driver;
  return !!driver && driver !== room.surface();
}

/// Back into the input, unless the person has begun something else there: then it is in the history.
export function giveBack(room: Room, out: Outgoing): void {
  const draft = room.draft(out.session);
  if (draft.text || draft.files.length > 0 || !isEmpty(draft.context)) return;
  room.setDraft(out.session, { text: out.text, files: out.files, context: out.context });
}

/// What was stored; anything not in our format is dropped.
export function parseUnsent(stored: string | null): readonly Unsent[] {
  try {
    const read: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(read) ? read.filter(isUnsent).slice(0, MAX_UNSENT).map(asLost) : [];
  } catch {
    return [];
  }
}

function isUnsent(value: unknown): value is Unsent {
  const one = value as Partial<Unsent>;
  return (
    isObject(value) &&
    typeof one.key === "string" &&
    typeof one.session === "string" &&
    typeof one.text === "string" &&
    Array.isArray(one.files) &&
    isObject(one.context) &&
    isObject(one.where) &&
    (one.how === "queue" || one.how === "steer")
  );
}

const isObject = (value: unknown) => typeof value === "object" && value !== null;
const asLost = (one: Unsent): Unsent => ({ ...one, lost: true });
