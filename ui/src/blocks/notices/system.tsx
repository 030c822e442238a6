// A notice of the system; what has no place of its own is kept folded.
import { createMemo, type JSX, Show } from "solid-js";
import { Counts } from "../../frame/counts";
import { undoCommand } from "../../host/start_command";
import type { EditDone } from "../../model.gen";
import { Markdown } from "../../text/markdown/markdown";
import { Plain } from "../../text/plain";
import { visible } from "../../text/visible";
import { Details } from "../details";
import { isUndone } from "../edits/applied";
import { UndoEdit } from "../edits/undo_edit";
import { sayText, sayTitle } from "../said_block";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function System(props: ViewProps<"system">): JSX.Element {
  return (
    <Show when={props.block.debug} fallback={<Shown {...props} />}>
      <Details
        session={props.mirror.id}
        key={props.block.id}
        summary={visible(sayTitle(props.block.said, props.block.title ?? ""))}
      >
        <Plain text={props.block.text ?? ""} />
      </Details>
    </Show>
  );
}

function Shown(props: ViewProps<"system">): JSX.Element {
  return (
    <Show when={props.block.edit} fallback={<Notice {...props} />}>
      {(edit) => <WrittenEdit {...props} edit={edit()} />}
    </Show>
  );
}

/// Files that were written after a yes: the count in words, the files as the daemon lists them.
function WrittenEdit(props: ViewProps<"system"> & { edit: EditDone }): JSX.Element {
  const list = () => (isLive() ? `${named()}\n\n${how()}` : named());
  const files = () => (props.edit.files === 1 ? t("files_one") : t("files", { count: props.edit.files }));
  const named = () => (props.block.text ?? "").split("\n\n")[0] ?? "";
  const isLive = createMemo(() => !isUndone(props.mirror, props.edit.undo_id));
  const how = () => t("editUndoCommand", { command: undoCommand(), id: props.edit.undo_id.slice(-8) });
  return (
    <>
      <div class="blocks-edit">
        <span class="blocks-title">
          {t(`edit_${props.edit.work}`)}: {files()}{" "}
          <Counts additions={props.edit.additions} deletions={props.edit.deletions} />
        </span>
        <Show when={isLive()}>
          <UndoEdit session={props.mirror.id} undoId={props.edit.undo_id} />
        </Show>
      </div>
      <Details session={props.mirror.id} key={props.block.id} summary={t("editDetails")}>
        <Markdown text={list()} session={props.mirror.id} />
      </Details>
    </>
  );
}

function Notice(props: ViewProps<"system">): JSX.Element {
  return (
    <>
      <Show when={sayTitle(props.block.said, props.block.title ?? "")}>
        {(title) => <p class="blocks-title">{visible(title())}</p>}
      </Show>
      <Show when={sayText(props.block.said, props.block.text ?? "")}>
        {(text) => <Markdown text={text()} session={props.mirror.id} />}
      </Show>
    </>
  );
}
