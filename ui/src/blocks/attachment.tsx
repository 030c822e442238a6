// What hangs on a block: a diff to look at and apply, logs, a status, an error.
import { type Component, For, type JSX, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { Counts } from "../frame/counts";
import type { Block, DiffAttachment, ErrorAttachment, LogsAttachment, StatusAttachment } from "../model.gen";
import type { Mirror } from "../state/room";
import { visible } from "../text/visible";
import { Details } from "./details";
import { DiffActions } from "./edits/diff_actions";
import { t } from "./texts";
import { Json } from "./tools/json";
import { Output } from "./tools/output";

const MAX_LISTED = 50;

export type AnyAttachment = NonNullable<Block["attachments"]>[number];

interface Hung<A> {
  mirror: Mirror;
  attachment: A;
  key: string;
}

/// When it is sent again, the same elements are updated.
export function Attachment(props: Hung<AnyAttachment>): JSX.Element {
  return (
    <div class={`blocks-attachment blocks-attachment-${props.attachment.type}`}>
      <Dynamic component={VIEWS[props.attachment.type] as Component<Hung<AnyAttachment>>} {...props} />
    </div>
  );
}

function AttachedDiff(props: Hung<DiffAttachment>): JSX.Element {
  const files = () => props.attachment.files;
  return (
    <>
      <p class="blocks-title">{visible(props.attachment.title || t("diff"))}</p>
      <ul class="blocks-files">
        <For each={files().slice(0, MAX_LISTED)}>
          {(file) => (
            <li class="blocks-file-line">
              <bdi class="blocks-path">{visible(file.path)}</bdi>{" "}
              <Counts additions={file.additions} deletions={file.deletions} />
            </li>
          )}
        </For>
      </ul>
      <Show when={files().length > MAX_LISTED}>
        <p class="blocks-note">{t("moreFiles", { count: files().length - MAX_LISTED })}</p>
      </Show>
      <DiffActions mirror={props.mirror} attachment={props.attachment} />
    </>
  );
}

function AttachedLogs(props: Hung<LogsAttachment>): JSX.Element {
  return (
    <Details session={props.mirror.id} key={props.key} summary={visible(props.attachment.title || t("logs"))}>
      <Output text={props.attachment.text} />
    </Details>
  );
}

function AttachedStatus(props: Hung<StatusAttachment>): JSX.Element {
  return (
    <Details
      session={props.mirror.id}
      key={props.key}
      summary={visible(props.attachment.title || t("status"))}
    >
      <Json text={JSON.stringify(props.attachment.json, null, 2) ?? ""} />
    </Details>
  );
}

function AttachedError(props: Hung<ErrorAttachment>): JSX.Element {
  const details = () => {
    const details = props.attachment.details;
    return typeof details === "string" ? details : (JSON.stringify(details, null, 2) ?? "");
  };
  return (
    <>
      <p class="blocks-title">{visible(props.attachment.title || t("error"))}</p>
      <p>
        <code>{visible(props.attachment.code)}</code> {visible(props.attachment.message)}
      </p>
      <Show when={props.attachment.details}>
        <Details session={props.mirror.id} key={props.key} summary={t("details")}>
          <Json text={details()} />
        </Details>
      </Show>
    </>
  );
}

type AttachmentViews = { [K in AnyAttachment["type"]]: Component<Hung<Extract<AnyAttachment, { type: K }>>> };

const VIEWS: AttachmentViews = {
  diff: AttachedDiff,
  logs: AttachedLogs,
  status: AttachedStatus,
  error: AttachedError,
};
