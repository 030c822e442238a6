// What can be done with a block, shown when it is pointed at or reached by keyboard.
import { type JSX, Show } from "solid-js";
import { language } from "../i18n/texts";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { can } from "../state/sessions/capabilities";
import { CopyButton } from "../text/copy";
import { t } from "./texts";

export interface ActionsProps {
  session: string;
  text: string;
  run?: string | null; // with a run there is more to do
  atMs?: number | null;
  block: string;
}

export function Actions(props: ActionsProps): JSX.Element {
  const room = useRoom();
  const fork = async (run: string) => {
    const made = await room.attempt("session.fork", { session_id: props.session, run_id: run });
    if (made) room.activate(made.session_id);
  };
  const review = (run: string) => room.show({ kind: "review", session: props.session, run });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="blocks-actions" role="group" aria-label={t("actions")}>
      <Show when={props.atMs}>{(at) => <Moment atMs={at()} />}</Show>
      <CopyButton text={props.text} />
      <CopyButton
        text={room.host.linkTo({ session: props.session, block: props.block })}
        label={t("copyLink")}
      />
      <Show when={props.run} keyed>
        {(run) => (
          <>
            <Show when={mayAct(room.access()) && can(room.card(props.session), "fork")}>
              <button type="button" class="plain" onClick={() => void fork(run)}>
                {t("fork")}
              </button>
            </Show>
            <button type="button" class="plain" onClick={() => review(run)}>
              {t("review")}
            </button>
          </>
        )}
      </Show>
    </div>
  );
}

function Moment(props: { atMs: number }): JSX.Element {
  const at = () => new Date(props.atMs);
  return (
    <time dateTime={at().toISOString()} title={at().toLocaleString(language())}>
      {at().toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" })}
    </time>
  );
}
