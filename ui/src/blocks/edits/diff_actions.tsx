// View and Apply of a diff that was checked: by its id alone, and written only after a yes.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { Icon } from "../../icons/icon";
import type { DiffAttachment } from "../../model.gen";
import { mayAct } from "../../state/access";
import { type Mirror, useRoom } from "../../state/room";
import { t } from "../texts";
import { findApplied } from "./applied";
import { tellWritten, UndoEdit } from "./undo_edit";

export function DiffActions(props: { mirror: Mirror; attachment: DiffAttachment }): JSX.Element {
  const room = useRoom();
  const [busy, setBusy] = createSignal(false);
  const view = () =>
    room.show({
      kind: "diff",
      title: props.attachment.title || t("diff"),
      unified: props.attachment.unified_diff,
      diffId: props.attachment.diff_id,
      session: props.mirror.id,
    });
  const applied = createMemo(() => findApplied(props.mirror, props.attachment.diff_id));
  const apply = async () => {
    setBusy(true);
    tellWritten(room, await room.attempt("edits.apply", { diff_id: props.attachment.diff_id }));
    setBusy(false);
  };
  return (
    <div class="blocks-buttons">
      <button type="button" onClick={view}>
        {t("view")}
      </button>
      <Show
        when={applied()}
        fallback={
          <Show when={mayAct(room.access())}>
            <button type="button" class="primary" disabled={busy()} onClick={() => void apply()}>
              {busy() ? t("applying") : t("apply")}
            </button>
          </Show>
        }
      >
        {(done) => (
          <>
            <UndoEdit session={props.mirror.id} undoId={done().undoId} />
            <span class="blocks-applied" role="status">
              <Icon name="check" /> {t(done().isPart ? "partApplied" : "applied")}
            </span>
          </>
        )}
      </Show>
    </div>
  );
}
