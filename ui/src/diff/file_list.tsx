// The list of files beside a diff: filtered, any number of them.
import { createMemo, createSignal, Show } from "solid-js";
import { Virtualizer } from "virtua/solid";
import { visible } from "../text/visible";
import { type FileEntry, type ListedEntry, listFiles } from "./listing";
import type { DiffFile } from "./read/parse";
import { Counts } from "./rows/head_row";
import { t } from "./texts";

const ENTRY_HEIGHT = 26;

interface FileListProps {
  files: readonly DiffFile[];
  current: DiffFile | undefined;
  onPick: (file: DiffFile) => void;
}

export function FileList(props: FileListProps) {
  const [filter, setFilter] = createSignal("");
  const entries = createMemo(() => listFiles(props.files, filter()));
  return (
    <nav class="diff-files" aria-label={t("files")}>
      <input
        type="search"
        class="diff-filter"
        aria-label={t("filter")}
        placeholder={t("filter")}
        value={filter()}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <Show when={entries().length > 0} fallback={<p class="diff-note">{t("noFile")}</p>}>
        <div class="diff-files-list">
          <Virtualizer data={entries()} itemSize={ENTRY_HEIGHT}>
            {(entry) => <EntryView entry={entry} {...props} />}
          </Virtualizer>
        </div>
      </Show>
    </nav>
  );
}

function EntryView(props: { entry: ListedEntry } & FileListProps) {
  return (
    <Show
      when={props.entry.kind === "file" && props.entry}
      fallback={
        <div class="diff-folder">
          <bdi>{visible(props.entry.name) || "/"}</bdi>
        </div>
      }
    >
      {(entry) => <FileButton {...props} entry={entry()} />}
    </Show>
  );
}

function FileButton(props: FileListProps & { entry: FileEntry }) {
  const isCurrent = () => props.current === props.entry.file;
  return (
    <button
      type="button"
      class="plain diff-entry"
      classList={{ [`diff-kind-${props.entry.file.kind}`]: true }}
      aria-current={isCurrent() ? "true" : undefined}
      title={visible(props.entry.file.path)}
      onClick={() => props.onPick(props.entry.file)}
    >
      <bdi class="diff-entry-name">{visible(props.entry.name) || t("unnamed")}</bdi>
      <Counts additions={props.entry.file.additions} deletions={props.entry.file.deletions} />
    </button>
  );
}
