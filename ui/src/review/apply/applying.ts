// Writing after a yes: the call that waits, the Ask that it opened, and what came of it.
import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import { undoNow } from "../../blocks/edits/undo_now";
import { say } from "../../i18n/said";
import type { Ask, Written } from "../../model.gen";
import type { Room, ToastAction } from "../../state/room";
import { sayFault, visible } from "../../text/visible";
import { t } from "../texts";

export type EditAction = "write" | "revert" | "undo";

export type EditState =
  | { state: "idle" }
  | { state: "busy" }
  | { state: "ended"; action: EditAction; written: Written }
  | { state: "failed"; why: string };

export interface Applying {
  fate: Accessor<EditState>;
  /// The question that this waits for, while it is open.
  ask: Accessor<Ask | undefined>;
  /// It has been asked; while this is still busy, somebody has answered.
  wasAsked: Accessor<boolean>;
  apply(target: () => Promise<Target>, action?: EditAction): Promise<void>;
  undo(undoId: string): Promise<void>;
}

export interface Target {
  readonly diffId: string;
}

export function createApplying(room: Room, session: Accessor<string>): Applying {
  const [fate, setFate] = createSignal<EditState>({ state: "idle" });
  const [edit, setEdit] = createSignal("");
  let isGone = false;
  onCleanup(() => {
    isGone = true;
    room.claimAsk("");
  });

  const asks = () =>
    room.mirror(session())?.head().asks ??
    room
      .inbox()
      .filter((one) => one.session_id === session())
      .map((one) => one.ask);
  const ask = createMemo(() => {
    if (fate().state !== "busy") return undefined;
    return asks().find((one) => isOurs(one, edit()));
  });
  createEffect(() => room.claimAsk(ask()?.id ?? ""));
  const [wasAsked, setWasAsked] = createSignal(false);
  createEffect(() => ask() && setWasAsked(true));

  const end = (next: EditState) => {
    setFate(next);
    const isDone = next.state === "ended" && next.written.status === "ok";
    if (isDone) room.toast("info", tell(next), undoAction(next));
    else if (isGone && !isDeclined(next)) room.toast(levelOf(next), tell(next));
  };
  const undoAction = (next: EditState): ToastAction | undefined => {
    const undoId = next.state === "ended" && next.action !== "undo" ? next.written.undo_id : undefined;
    return undoId ? { label: t("undoShort"), act: () => void undo(undoId) } : undefined;
  };
  const wait = async (action: EditAction, work: () => Promise<Written>) => {
    if (fate().state === "busy") return;
    setEdit("");
    setWasAsked(false);
    setFate({ state: "busy" });
    try {
      end({ state: "ended", action, written: await work() });
    } catch (fault) {
      end({ state: "failed", why: sayFault(fault) });
    }
  };
  const undo = (undoId: string) => wait("undo", () => undoNow(room, session(), undoId));

  return {
    fate,
    ask,
    wasAsked,
    apply: (target, action = "write") =>
      wait(action, async () => {
        const { diffId } = await target();
        setEdit(diffId);
        return room.call("edits.apply", { diff_id: diffId });
      }),
    undo,
  };
}

/// The question of this edit and of no other, which its yes is bound to.
export function isOurs(ask: Ask, edit: string): boolean {
  return edit !== "" && ask.edit === edit && Boolean(ask.plan);
}

/// Who has just said no knows it.
function isDeclined(fate: EditState): boolean {
  return fate.state === "ended" && fate.written.said?.code === "edit.declined";
}

const DONE = { write: "ok", revert: "revertedToast", undo: "undone" } as const;

export function tell(fate: EditState): string {
  if (fate.state === "failed") return t("failed", { why: fate.why });
  if (fate.state !== "ended") return "";
  const { status, summary, said } = fate.written;
  return t(status === "ok" ? DONE[fate.action] : status, { summary: visible(say(said, summary)) });
}

export function levelOf(fate: EditState): "info" | "warn" | "error" {
  if (fate.state === "failed") return "error";
  if (fate.state !== "ended") return "info";
  return ({ ok: "info", rejected: "warn", error: "error" } as const)[fate.written.status];
}
