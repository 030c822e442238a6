// Writing after a yes: the call that waits, the Ask that it opened, and what came of it.
import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import type { Ask, Written } from "../model.gen";
import type { Room } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { t } from "./texts";

export type Fate =
  | { state: "idle" }
  | { state: "busy" }
  | { state: "written"; written: Written }
  | { state: "undone"; written: Written }
  | { state: "failed"; why: string };

export interface Applying {
  fate: Accessor<Fate>;
  /// The question that this waits for, while it is open.
  ask: Accessor<Ask | undefined>;
  /// It has been asked; while this is still busy, somebody has answered.
  wasAsked: Accessor<boolean>;
  apply(target: () => Promise<Target>): Promise<void>;
  undo(undoId: string): Promise<void>;
}

export interface Target {
  readonly diffId: string;
  readonly hash: string | undefined;
}

export function createApplying(
  room: Room,
  session: Accessor<string>,
  onWritten: () => void = () => undefined,
): Applying {
  const [fate, setFate] = createSignal<Fate>({ state: "idle" });
  const [hash, setHash] = createSignal<string>();
  const [earlier, setEarlier] = createSignal<ReadonlySet<string>>(new Set());
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });

  const asks = () =>
    room.mirror(session())?.head().asks ??
    room
      .inbox()
      .filter((one) => one.session_id === session())
      .map((one) => one.ask);
  const ask = createMemo(() => {
    if (fate().state !== "busy") return undefined;
    return asks().find((one) => isOurs(one, hash(), earlier()));
  });
  const [wasAsked, setWasAsked] = createSignal(false);
  createEffect(() => ask() && setWasAsked(true));

  const end = (next: Fate) => {
    setFate(next);
    if ((next.state === "written" || next.state === "undone") && next.written.status === "ok") onWritten();
    if (isGone && next.state !== "idle" && next.state !== "busy") room.toast(levelOf(next), tell(next));
  };
  const wait = async (work: () => Promise<Fate>) => {
    if (fate().state === "busy") return;
    setEarlier(new Set(asks().map((one) => one.id)));
    setHash(undefined);
    setWasAsked(false);
    setFate({ state: "busy" });
    try {
      end(await work());
    } catch (fault) {
      end({ state: "failed", why: sayFault(fault) });
    }
  };

  return {
    fate,
    ask,
    wasAsked,
    apply: (target) =>
      wait(async () => {
        const { diffId, hash: known } = await target();
        setHash(known);
        return { state: "written", written: await room.call("edits.apply", { diff_id: diffId }) };
      }),
    undo: (undoId) =>
      wait(async () => ({
        state: "undone",
        written: await room.call("edits.undo", { session_id: session(), undo_id: undoId }),
      })),
  };
}

/// By the hash where it is known; else the first that was opened since.
export function isOurs(ask: Ask, hash: string | undefined, earlier: ReadonlySet<string>): boolean {
  if (hash !== undefined) return ask.plan === hash;
  return !earlier.has(ask.id) && Boolean(ask.plan);
}

export function tell(fate: Fate): string {
  if (fate.state === "failed") return t("failed", { why: fate.why });
  if (fate.state !== "written" && fate.state !== "undone") return "";
  const { status, summary } = fate.written;
  return t(status === "ok" && fate.state === "undone" ? "undone" : status, { summary: visible(summary) });
}

export function levelOf(fate: Fate): "info" | "warn" | "error" {
  if (fate.state === "failed") return "error";
  if (fate.state !== "written" && fate.state !== "undone") return "info";
  return ({ ok: "info", rejected: "warn", error: "error" } as const)[fate.written.status];
}
