// The agent's notices: warnings about its configuration, account and version.
import { For, Show } from "solid-js";
import type { InfoBlock, SystemBlock } from "../../model.gen";
import { visible } from "../../text/visible";
import { Dialog } from "../dialog";
import "./notices.css";
import { t } from "../status_texts";

export function NoticesDialog(props: { notices: readonly (InfoBlock | SystemBlock)[]; onClose: () => void }) {
  return (
    <Dialog title={t("notices")} reading onClose={props.onClose}>
      <Show when={props.notices.length > 0} fallback={<p>{t("noNotices")}</p>}>
        <ul class="frame-notices">
          <For each={props.notices}>{(notice) => <Notice notice={notice} />}</For>
        </ul>
      </Show>
    </Dialog>
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
