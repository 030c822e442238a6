// View and Apply of a diff that was checked: by its id alone, and written only after a yes.
import { createSignal, type JSX, Show } from "solid-js";
import type { DiffAttachment, Written } from "../model.gen";
import { mayAct } from "../state/access";
import { type Toast, useRoom } from "../state/room";
import { t } from "./texts";

const LEVELS: Record<Written["status"], Toast["level"]> = { ok: "info", rejected: "warn", error: "error" };

export function DiffActions(props: { session: string; attachment: DiffAttachment }): JSX.Element {
  const room = useRoom();
  const [busy, setBusy] = createSignal(false);
  const view = () =>
    room.show({
      kind: "diff",
      title: props.attachment.title || t("diff"),
      unified: props.attachment.unified_diff,
      diffId: props.attachment.diff_id,
      session: props.session,
    });
  const apply = async () => {
    setBusy(true);
    const written = await room.attempt("edits.apply", { diff_id: props.attachment.diff_id });
    setBusy(false);
    if (written) room.toast(LEVELS[written.status], written.summary);
  };
  return (
    <div class="blocks-buttons">
      <button type="button" onClick={view}>
        {t("view")}
      </button>
      <Show when={mayAct(room.access())}>
        <button type="button" class="primary" disabled={busy()} onClick={() => void apply()}>
          {busy() ? t("applying") : t("apply")}
        </button>
      </Show>
    </div>
  );
}
