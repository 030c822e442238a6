// Chips above the input: attached files with a thumbnail, and the context sent with the prompt.
import { createResource, For, Show } from "solid-js";
import { language } from "../../i18n/texts";
import { Icon } from "../../icons/icon";
import { type DraftFile, type Room, useRoom } from "../../state/room";
import { isImage } from "../sending/prompt";
import { t } from "../texts";
import type { Uploading } from "./attach";
import { findPart, listWanted, type Preview, removeContext, type WantedContext } from "./context";

export function FileChips(props: { session: string; uploading: readonly Uploading[] }) {
  const room = useRoom();
  const files = () => room.draft(props.session).files;
  const mine = () => props.uploading.filter((one) => one.session === props.session);
  return (
    <Show when={files().length + mine().length > 0}>
      <ul class="composer-chips" aria-label={t("attached")}>
        <For each={files()}>{(file) => <FileChip session={props.session} file={file} />}</For>
        <For each={mine()}>
          {(one) => (
            <li class="composer-chip" aria-busy="true">
              <span class="composer-chip-name">{one.name}</span>
              <span class="composer-chip-note">{t("uploading")}</span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function FileChip(props: { session: string; file: DraftFile }) {
  const room = useRoom();
  return (
    <li class="composer-chip">
      <Show when={isImage(props.file)}>
        <Thumb session={props.session} file={props.file} />
      </Show>
      <span class="composer-chip-name" title={props.file.path}>
        {props.file.name}
      </span>
      <RemoveButton name={props.file.name} onClick={() => removeFile(room, props.session, props.file)} />
    </li>
  );
}

/// A link to a file ends with the daemon that gave it; the draft may be older.
function Thumb(props: { session: string; file: DraftFile }) {
  const room = useRoom();
  const isOpen = () => room.connection().state === "open";
  const [linked] = createResource(
    () => isOpen() && { session_id: props.session, path: props.file.path },
    (wanted) => room.call("files.link", wanted).catch(() => undefined),
  );
  const url = () => {
    const file = linked.latest;
    return file && room.host.fileUrl(file);
  };
  return (
    <Show when={url()}>
      {(source) => (
        <button
          type="button"
          class="plain composer-thumb"
          aria-label={t("showImage", { name: props.file.name })}
          onClick={() => room.show({ kind: "image", url: source(), caption: props.file.name })}
        >
          <img src={source()} alt="" />
        </button>
      )}
    </Show>
  );
}

function removeFile(room: Room, session: string, file: DraftFile): void {
  const files = room.draft(session).files.filter((one) => one.path !== file.path);
  room.setDraft(session, { files });
}

function RemoveButton(props: { name: string; onClick: () => void }) {
  const label = () => t("remove", { name: props.name });
  return (
    <button type="button" class="plain icon" aria-label={label()} title={label()} onClick={props.onClick}>
      <Icon name="close" />
    </button>
  );
}

const KIND_NAMES = {
  active_file: "activeFile",
  selection: "selection",
  workspace_summary: "workspaceSummary",
  file: "file",
} as const;

export function ContextChips(props: { session: string; preview: Preview }) {
  const room = useRoom();
  const context = () => room.draft(props.session).context;
  const wanted = () => listWanted(context());
  const remove = (one: WantedContext) =>
    room.setDraft(props.session, { context: removeContext(context(), one) });
  return (
    <Show when={wanted().length > 0}>
      <ul class="composer-chips" aria-label={t("context")}>
        <For each={wanted()}>
          {(one) => <ContextChip wanted={one} preview={props.preview} onRemove={() => remove(one)} />}
        </For>
      </ul>
      <Show when={props.preview.why()}>
        <p class="composer-problem" role="alert">
          {props.preview.why()}
        </p>
      </Show>
    </Show>
  );
}

function ContextChip(props: { wanted: WantedContext; preview: Preview; onRemove: () => void }) {
  const part = () => findPart(props.preview.previewed()?.parts ?? [], props.wanted);
  const name = () => part()?.name || props.wanted.name;
  const size = () => (part()?.size ?? 0).toLocaleString(language());
  return (
    <li class="composer-chip" classList={{ "composer-chip-out": part()?.left_out }}>
      <span class="composer-chip-kind">{t(KIND_NAMES[props.wanted.kind])}</span>
      <Show when={props.wanted.kind !== "workspace_summary" && name()}>
        <span class="composer-chip-name" title={name()}>
          {name()}
        </span>
      </Show>
      <Show when={part()}>
        <span class="composer-chip-note">
          {part()?.left_out ? t("leftOut") : t(part()?.size === 1 ? "bytes_one" : "bytes", { n: size() })}
          {part()?.note ? ` · ${part()?.note}` : ""}
        </span>
      </Show>
      <RemoveButton name={name() || t(KIND_NAMES[props.wanted.kind])} onClick={props.onRemove} />
    </li>
  );
}
