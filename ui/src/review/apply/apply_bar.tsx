// The foot of what can be written: the question where it is asked, why it was not written, and the undo.
import { type JSX, Show } from "solid-js";
import { settingOf } from "../../i18n/said";
import { mayAct } from "../../state/access";
import { useRoom } from "../../state/room";
import { t } from "../texts";
import { type Applying, levelOf, tell } from "./applying";
import { EditQuestion } from "./edit_question";

export function ApplyBar(props: {
  session: string;
  applying: Applying;
  /// Of what was written before this was opened.
  undoId?: string;
  children?: JSX.Element;
}): JSX.Element {
  const room = useRoom();
  const fate = () => props.applying.fate();
  const settingNow = () => {
    const now = fate();
    return now.state === "ended" ? settingOf(now.written.said) : undefined;
  };
  const undoId = () => {
    const now = fate();
    const isDone = now.state === "ended" && now.action !== "undo" && now.written.status === "ok";
    return isDone ? now.written.undo_id : props.undoId;
  };
  return (
    <div class="review-foot">
      <Show when={levelOf(fate()) !== "info" && tell(fate())}>
        {(text) => (
          <p
            class={`review-told review-${levelOf(fate())}`}
            role={levelOf(fate()) === "error" ? "alert" : "status"}
          >
            {text()}
          </p>
        )}
      </Show>
      <Show when={settingNow()}>
        {(at) => (
          <button type="button" class="small" onClick={() => room.show({ kind: "settings", at: at() })}>
            {t("openSetting")}
          </button>
        )}
      </Show>
      <Show when={props.applying.ask()} keyed>
        {(ask) => <EditQuestion session={props.session} ask={ask} />}
      </Show>
      <div class="review-actions">
        <Show when={fate().state === "busy" && !props.applying.ask()}>
          <span role="status">{t(props.applying.wasAsked() ? "answered" : "waiting")}</span>
        </Show>
        {props.children}
        <Show when={mayAct(room.access()) && undoId()}>
          {(id) => (
            <button type="button" onClick={() => void props.applying.undo(id())}>
              {t("undoShort")}
            </button>
          )}
        </Show>
      </div>
    </div>
  );
}
