// An error, shown once: what happened in words, the setting that it is about, and the code under details.
import { For, type JSX, Show } from "solid-js";
import { settingOf } from "../../i18n/said";
import type { ErrorAttachment } from "../../model.gen";
import { useRoom } from "../../state/room";
import { CopyButton } from "../../text/copy";
import { Markdown } from "../../text/markdown/markdown";
import { visible } from "../../text/visible";
import { Details } from "../details";
import { sayText, sayTitle } from "../said_block";
import { t } from "../texts";
import { Json } from "../tools/json";
import type { ViewProps } from "../view";

export function ErrorNotice(props: ViewProps<"error">): JSX.Element {
  const room = useRoom();
  const title = () => sayTitle(props.block.said, props.block.title);
  const text = () => sayText(props.block.said, props.block.text ?? "");
  const coded = () => (props.block.attachments ?? []).filter((one) => one.type === "error");
  return (
    <>
      <p class="blocks-row">
        <span class="blocks-title">{visible(title())}</span>
        <CopyButton text={[title(), text()].filter(Boolean).join("\n\n")} />
      </p>
      <Show when={text()}>{(now) => <Markdown text={now()} session={props.mirror.id} />}</Show>
      <Show when={settingOf(props.block.said)}>
        {(at) => (
          <button type="button" class="small" onClick={() => room.show({ kind: "settings", at: at() })}>
            {t("openSetting")}
          </button>
        )}
      </Show>
      <Show when={coded().length > 0}>
        <Details session={props.mirror.id} key={props.block.id} summary={t("errorDetails")}>
          <For each={coded()}>{(one) => <Coded attachment={one} text={props.block.text ?? ""} />}</For>
        </Details>
      </Show>
    </>
  );
}

/// What the text above doesn't say.
function Coded(props: { attachment: ErrorAttachment; text: string }): JSX.Element {
  const details = () => {
    const details = props.attachment.details;
    return typeof details === "string" ? details : (JSON.stringify(details, null, 2) ?? "");
  };
  return (
    <>
      <p>
        <code>{visible(props.attachment.code)}</code>{" "}
        {props.text.includes(props.attachment.message) ? "" : visible(props.attachment.message)}
      </p>
      <Show when={props.attachment.details}>
        <Json text={details()} />
      </Show>
    </>
  );
}
