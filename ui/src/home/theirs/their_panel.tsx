// What is known of a session that Bascule did not start, and how to continue it in a terminal. Nothing starts by itself.
import { type JSX, Show } from "solid-js";
import { Dialog } from "../../frame/dialogs/dialog";
import { sayAgent } from "../../frame/session/agent_name";
import { fullTime } from "../../frame/time";
import { language } from "../../i18n/texts";
import type { WatchedSession } from "../../model.gen";
import { wishPane } from "../../panes/dock/dock_state";
import { useRoom } from "../../state/room";
import { CopyButton } from "../../text/copy";
import { shownPath } from "../../text/paths";
import { visible } from "../../text/visible";
import { t } from "../board/board_texts";
import type { HomeMarks } from "../board/marks";
import { dotOf } from "../entries";
import { findResume } from "./resume";
import { sayDoing, sayEvidence, sayTitle } from "./theirs";

export interface TheirPanelProps {
  session: WatchedSession;
  marks: HomeMarks;
  onClose: () => void;
}

export function TheirPanel(props: TheirPanelProps): JSX.Element {
  const room = useRoom();
  const key = () => props.session.key;
  const resume = () => findResume(props.session.agent, props.session.their_id);
  const resumeHere = (run: string) => {
    wishPane({ kind: "open", params: { cwd: props.session.cwd ?? "", run } });
    props.onClose();
  };
  const hide = () => {
    props.marks.toggleHidden(key());
    props.onClose();
  };
  return (
    <Dialog
      title={sayTitle(props.session)}
      onClose={props.onClose}
      footer={
        <>
          <button type="button" onClick={() => props.marks.togglePinned(key())}>
            {t(props.marks.pinned().has(key()) ? "unpin" : "pin")}
          </button>
          <button type="button" onClick={hide}>
            {t(props.marks.hidden().has(key()) ? "unhide" : "hide")}
          </button>
        </>
      }
    >
      <dl class="home-facts">
        <Fact name={t("agent")} value={visible(sayAgent(props.session.agent))} />
        <Fact name={t("status")} value={t(`status_${dotOf(props.session)}`)} />
        <Fact name={t("doing")} value={sayDoing(props.session)} />
        <Fact name={t("source")} value={sayEvidence(props.session)} />
        <Fact name={t("activity")} value={sayFull(props.session.activity_at_ms)} />
        <Fact name={t("folder")} value={shownPath(props.session.cwd ?? "")} />
        <Fact name={t("branch")} value={visible(props.session.branch ?? "")} />
        <Fact name={t("id")} value={visible(props.session.their_id)} />
      </dl>
      <h3 class="home-resume-head">{t("resume")}</h3>
      <Show when={resume()} fallback={<p>{t("noResume")}</p>}>
        {(command) => (
          <>
            <p>{t("resumeHow")}</p>
            <p class="home-resume">
              <code>{command()}</code> <CopyButton text={command()} />
            </p>
            <Show when={room.access()?.may?.includes("type")}>
              <button type="button" onClick={() => resumeHere(command())}>
                {t("resumeHere")}
              </button>
            </Show>
          </>
        )}
      </Show>
    </Dialog>
  );
}

function Fact(props: { name: string; value: string }): JSX.Element {
  return (
    <Show when={props.value}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </Show>
  );
}

function sayFull(atMs: number | undefined): string {
  return atMs ? fullTime(atMs, language()) : "";
}
