// What can be done about a run that is over: undo what it changed, or try it again.
import { chooseAll, reviewUnit, toChosenFiles } from "../../diff/choosing";
import { say } from "../../i18n/said";
import type { Block, Written } from "../../model.gen";
import { Lost, type Mirror, type Room, type ToastAction } from "../../state/room";
import { sayFault, visible } from "../../text/visible";
import { undoNow } from "../edits/undo_now";
import { t } from "../tools/tool_texts";

/// Everything of it that is still there, after one yes; the toast brings it back.
export async function undoRun(room: Room, session: string, run: string): Promise<void> {
  try {
    const review = await room.call("edits.review", { session_id: session, run_id: run });
    const units = review.files.map(reviewUnit);
    const files = toChosenFiles(chooseAll(units), units);
    if (files.length === 0) return room.toast("info", t("nothingToUndo"), undefined, session);
    const { diff_id } = await room.call("edits.revert", { session_id: session, run_id: run, files });
    const written = await room.call("edits.apply", { diff_id });
    const undoId = written.undo_id ?? "";
    const act = () => void tellEnd(room, session, () => undoNow(room, session, undoId), t("runRestored"));
    tell(room, session, written, t("runUndone"), undoId ? { label: t("undo"), act } : undefined);
  } catch (fault) {
    tellFault(room, fault);
  }
}

async function tellEnd(
  room: Room,
  session: string,
  work: () => Promise<Written>,
  done: string,
): Promise<void> {
  try {
    tell(room, session, await work(), done);
  } catch (fault) {
    tellFault(room, fault);
  }
}

/// Who has just said no needs no message about it.
function tell(room: Room, session: string, written: Written, done: string, action?: ToastAction): void {
  if (written.status === "ok") room.toast("info", done, action, session);
  else if (written.said?.code !== "edit.declined")
    room.toast("warn", visible(say(written.said, written.summary)));
}

function tellFault(room: Room, fault: unknown): void {
  room.toast(fault instanceof Lost ? "warn" : "error", sayFault(fault));
}

/// The words that began a run; undefined where more than words did.
export function findPrompt(blocks: readonly (Block | undefined)[]): string | undefined {
  const first = blocks.find((block) => block?.kind === "user");
  if (first?.kind !== "user" || first.images?.length || first.context?.length) return undefined;
  return first.text;
}

/// The same of a session's last run.
export function findLastPrompt(mirror: Mirror): string | undefined {
  const run = mirror.head().runs?.at(-1)?.id;
  const blocks = mirror.order().map((id) => mirror.block(id));
  return run ? findPrompt(blocks.filter((block) => block?.run === run)) : undefined;
}

export async function retryRun(room: Room, session: string, text: string): Promise<void> {
  const input = { type: "text", text };
  await room.attempt("run.start", { session_id: session, input, key: crypto.randomUUID() });
}
