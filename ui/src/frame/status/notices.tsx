// The agent's notices: warnings about its configuration, account and version.
import { For, Show } from "solid-js";
import type { InfoBlock, SystemBlock } from "../../model.gen";
import { visible } from "../../text/visible";
import { Dialog } from "../dialogs/dialog";
import "./notices.css";
import { t } from "./status_texts";

export function NoticesDialog(props: { notices: readonly (InfoBlock | SystemBlock)[]; onClose: () => void }) {
  return (
    <Dialog title={t("notices")} reading onClose={props.onClose}>
      <Show when={props.notices.length > 0} fallback={<p>{t("noNotices")}</p>}>
        <ul class="frame-notices">
          <For each={props.notices.filter((one) => !isDebug(one))}>
            {(notice) => <Notice notice={notice} />}
          </For>
          <For each={props.notices.filter(isDebug)}>
            {(notice) => <DebugNotice title={notice.title ?? ""} text={notice.text ?? ""} />}
          </For>
        </ul>
      </Show>
    </Dialog>
  );
}

/// An event of the agent that has no place of its own: nothing is hidden, and nobody has to read it.
export function isDebug(notice: InfoBlock | SystemBlock): boolean {
  return notice.kind === "system" && Boolean(notice.debug);
}

function DebugNotice(props: { title: string; text: string }) {
  return (
    <li class="frame-notice-debug">
      <details>
        <summary>{visible(props.title)}</summary>
        <p>{visible(props.text)}</p>
      </details>
    </li>
  );
}

function Notice(props: { notice: InfoBlock | SystemBlock }) {
  const facts = () => (props.notice.kind === "info" ? (props.notice.facts ?? []) : []);
  return (
    <li class={`frame-notice-${props.notice.kind}`}>
      <Show when={props.notice.title}>
        <strong>{visible(props.notice.title ?? "")}</strong>
      </Show>
      <Show when={props.notice.text}>
        <p>{visible(props.notice.text ?? "")}</p>
      </Show>
      <Show when={facts().length > 0}>
        <dl>
          <For each={facts()}>
            {(fact) => (
              <>
                <dt>{visible(fact.name)}</dt>
                <dd>{visible(fact.value)}</dd>
              </>
            )}
          </For>
        </dl>
      </Show>
    </li>
  );
}
