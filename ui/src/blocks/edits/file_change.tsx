// Changes: the files that were written, each with its diff, and what applying it said.
import { createMemo, Index, type JSX, Show } from "solid-js";
import { Counts } from "../../frame/counts";
import type { FileEdit } from "../../model.gen";
import { useRoom } from "../../state/room";
import { Ansi } from "../../text/terminal/ansi";
import { Details } from "../details";
import type { StatusSign } from "../status_icon";
import { t } from "../texts";
import { ICONS, verbOf } from "../tools/tool_words";
import { progressOf } from "../tools/waiting";
import type { ViewProps } from "../view";
import { ChangedFile } from "./changed_file";

const MAX_LISTED = 100;

export function FileChange(props: ViewProps<"fileChange">): JSX.Element {
  const room = useRoom();
  const diff = createMemo(() => (props.block.has_diff ? props.mirror.head().diff : undefined));
  const latest = createMemo(() => new Map(diff()?.files.map((file) => [file.path, file])));
  const files = createMemo(() => (props.block.files ?? []).map((file) => withLatest(file, latest())));
  const showAll = () =>
    room.show({
      kind: "diff",
      title: t("changes"),
      unified: "",
      files: files().filter((file) => file.diff),
      session: props.mirror.id,
    });
  return (
    <Details
      session={props.mirror.id}
      key={props.block.id}
      icon={ICONS.edit}
      open
      status={progressOf(props.mirror, props.block)}
      note={<Sum files={files()} />}
      summary={<Summary files={files()} status={progressOf(props.mirror, props.block)} />}
    >
      <ul class="blocks-files">
        <Index each={files().slice(0, MAX_LISTED)}>
          {(file) => <ChangedFile session={props.mirror.id} block={props.block.id} file={file()} />}
        </Index>
      </ul>
      <Show when={files().length > MAX_LISTED}>
        <p class="blocks-note">{t("moreFiles", { count: files().length - MAX_LISTED })}</p>
      </Show>
      <Show when={files().some((file) => file.diff)}>
        <button type="button" class="plain small blocks-all" onClick={showAll}>
          {t("inDiffView")}
        </button>
      </Show>
      <Show when={props.block.detail}>
        {(detail) => (
          <>
            <p class="blocks-label">{t("detail")}</p>
            <Ansi text={detail()} label={t("detail")} />
          </>
        )}
      </Show>
    </Details>
  );
}

/// A file without its own diff has it in the session's latest one.
function withLatest(file: FileEdit, latest: ReadonlyMap<string, FileEdit>): FileEdit {
  const found = file.diff ? undefined : latest.get(file.path);
  if (!found) return file;
  const { diff, spans, additions, deletions } = found;
  return { ...file, diff, spans, additions, deletions };
}

function Summary(props: { files: readonly FileEdit[]; status: StatusSign | undefined }): JSX.Element {
  const count = () => (props.files.length === 1 ? t("files_one") : t("files", { count: props.files.length }));
  return (
    <>
      <span class="blocks-kind">{verbOf("edit", props.status)}</span> {count()}
    </>
  );
}

function Sum(props: { files: readonly FileEdit[] }): JSX.Element {
  const sum = (of: (file: FileEdit) => number | undefined) =>
    props.files.reduce((all, file) => all + (of(file) ?? 0), 0);
  return <Counts additions={sum((file) => file.additions)} deletions={sum((file) => file.deletions)} />;
}
