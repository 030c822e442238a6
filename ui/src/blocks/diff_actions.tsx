// View and Apply of a diff that was checked: by its id alone, and written only after a yes.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { say } from "../i18n/said";
import { Icon } from "../icons/icon";
import type { DiffAttachment, Written } from "../model.gen";
import { mayAct } from "../state/access";
import { type Mirror, type Toast, useRoom } from "../state/room";
import { toastRefusal } from "../text/refusal";
import { findApplied } from "./applied";
import { t } from "./texts";

const LEVELS: Record<Written["status"], Toast["level"]> = { ok: "info", rejected: "warn", error: "error" };

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
  const write = async (call: () => Promise<Written | undefined>) => {
    setBusy(true);
    const written = await call();
    setBusy(false);
    if (!written) return;
    toastRefusal(room, say(written.said, written.summary), written.said, LEVELS[written.status]);
  };
  const apply = () => write(() => room.attempt("edits.apply", { diff_id: props.attachment.diff_id }));
  const undo = (undoId: string) =>
    write(() => room.attempt("edits.undo", { session_id: props.mirror.id, undo_id: undoId }));
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
            <Show when={mayAct(room.access())}>
              <button type="button" disabled={busy()} onClick={() => void undo(done().undoId)}>
                <Icon name="undo" /> {busy() ? t("applying") : t("undoDiff")}
              </button>
            </Show>
            <span class="blocks-applied" role="status">
              <Icon name="check" /> {t(done().isPart ? "partApplied" : "applied")}
            </span>
          </>
        )}
      </Show>
    </div>
  );
}
