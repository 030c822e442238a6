// Deleted sessions that can still be restored.
import { createSignal, For, onMount, Show } from "solid-js";
import type { ListedSession } from "../../model.gen";
import { mayAct } from "../../state/access";
import { useRoom } from "../../state/room";
import { shownPath } from "../../text/paths";
import { visible } from "../../text/visible";
import { Dialog } from "../dialogs/dialog";
import { t } from "../session_texts";
import { t as common } from "../texts";
import "./deleted_overlay.css";

export function DeletedOverlay() {
  const room = useRoom();
  const [listed, setListed] = createSignal<readonly ListedSession[]>();
  const read = async () => setListed((await room.attempt("session.deleted", {}))?.sessions ?? []);
  const restore = async (session: string) => {
    const done = await room.attempt("session.restore", { session_id: session });
    if (!done) return;
    room.toast("info", t("restored"));
    await read();
  };
  onMount(() => void read());
  return (
    <Dialog title={t("deletedTitle")} onClose={() => room.close()}>
      <Show when={listed()} fallback={<p role="status">{common("trying")}</p>}>
        {(sessions) => (
          <ul class="frame-deleted" aria-label={t("deletedTitle")}>
            <For each={sessions()} fallback={<li>{t("deletedNone")}</li>}>
              {(one) => (
                <li>
                  <span class="frame-deleted-name">
                    <strong>{visible(one.title || one.last_user_message || one.session_id)}</strong>
                    <span>{shownPath(one.workspace_root ?? "")}</span>
                  </span>
                  <Show when={mayAct(room.access())}>
                    <button type="button" onClick={() => void restore(one.session_id)}>
                      {t("restore")}
                    </button>
                  </Show>
                </li>
              )}
            </For>
          </ul>
        )}
      </Show>
    </Dialog>
  );
}
