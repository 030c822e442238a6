// The button that undoes an edit, after a yes, and the message about what came of it.
import { createSignal, type JSX, Show } from "solid-js";
import { say } from "../../i18n/said";
import { Icon } from "../../icons/icon";
import type { Written } from "../../model.gen";
import { mayAct } from "../../state/access";
import { type Room, useRoom } from "../../state/room";
import { toastRefusal } from "../../text/refusal";
import { t } from "../texts";

export function UndoEdit(props: { session: string; undoId: string }): JSX.Element {
  const room = useRoom();
  const [isBusy, setBusy] = createSignal(false);
  const undo = async () => {
    setBusy(true);
    tellWritten(room, await room.attempt("edits.undo", { session_id: props.session, undo_id: props.undoId }));
    setBusy(false);
  };
  return (
    <Show when={mayAct(room.access())}>
      <button type="button" class="small" disabled={isBusy()} onClick={() => void undo()}>
        <Icon name="undo" /> {isBusy() ? t("applying") : t("undoDiff")}
      </button>
    </Show>
  );
}

/// Only what was not done: what was has a block of its own.
export function tellWritten(room: Room, written: Written | undefined): void {
  if (!written || written.status === "ok") return;
  const level = written.status === "error" ? "error" : "warn";
  toastRefusal(room, say(written.said, written.summary), written.said, level);
}
