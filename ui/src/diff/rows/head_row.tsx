// Rows of heads: a file with its counts, a hunk with its place, and what is shown where there are no lines.
import { createEffect, Show } from "solid-js";
import { Icon } from "../../icons/icon";
import { visible } from "../../text/visible";
import type { DiffFile, DiffHunk, DiffLine } from "../read/parse";
import { t } from "../texts";
import type { DiffChoices, Mark } from "../view";
import type { FileRow, HunkRow, NoteRow } from "./rows";

const MAX_HEAD = 300; // characters after the second @@

export function nameOf(file: DiffFile): string {
  const path = visible(file.path) || t("unnamed");
  return file.source ? `${visible(file.source)} → ${path}` : path;
}

/// What is zero is left out.
export function Counts(props: { additions: number; deletions: number }) {
  return (
    <span class="diff-counts">
      <Show when={props.additions > 0}>
        <span class="diff-plus">+{props.additions}</span>
      </Show>
      {props.additions > 0 && props.deletions > 0 ? " " : ""}
      <Show when={props.deletions > 0}>
        <span class="diff-minus">−{props.deletions}</span>
      </Show>
    </span>
  );
}

export function FileHead(props: { row: FileRow; view: DiffChoices }) {
  const file = props.row.file;
  const isClosed = () => props.view.isClosed(file);
  const path = () => visible(file.path) || t("unnamed");
  return (
    <div class="diff-file">
      <Show when={props.view.choice()}>
        {(choice) => (
          <Tick
            state={choice().howMuch(file)}
            label={t("chooseFile", { path: path() })}
            onChange={() => choice().toggleFile(file)}
          />
        )}
      </Show>
      <button
        type="button"
        class="plain diff-name"
        aria-expanded={!isClosed()}
        title={t(isClosed() ? "unfold" : "fold", { path: path() })}
        onClick={() => props.view.setClosed(file, !isClosed())}
      >
        <span class="diff-arrow">
          <Icon name={isClosed() ? "right" : "down"} />
        </span>
        <bdi>{nameOf(file)}</bdi>
      </button>
      <Show when={file.kind !== "update"}>
        <span class="diff-kind">{t(file.kind)}</span>
      </Show>
      <Show when={file.modeBefore && file.modeAfter && file.hunks.length > 0}>
        <span class="diff-kind">{t("mode", modes(file))}</span>
      </Show>
      <Show when={markOf(props.view, file)}>{(mark) => <MarkChip mark={mark()} />}</Show>
      <span class="diff-space" />
      <Counts additions={file.additions} deletions={file.deletions} />
      <ActionButton view={props.view} file={file} />
      <Show when={file.kind !== "delete" && props.view.open()}>
        {(open) => (
          <button
            type="button"
            class="plain icon"
            aria-label={t("open", { path: path() })}
            title={t("open", { path: path() })}
            onClick={() => open()(file)}
          >
            <Icon name="open" />
          </button>
        )}
      </Show>
      <Show when={props.view.marks()?.file?.(file)?.more}>
        {(more) => <span class="diff-more">{visible(more())}</span>}
      </Show>
    </div>
  );
}

export function HunkHead(props: { row: HunkRow; view: DiffChoices }) {
  const { file, hunk } = props.row;
  return (
    <div class="diff-hunk">
      <Show when={props.view.choice()}>
        {(choice) => (
          <Tick
            state={choice().may(file, hunk) ? (choice().has(file, hunk) ? "all" : "none") : "never"}
            label={t("chooseHunk", { hunk: hunk.number, path: visible(file.path) })}
            onChange={() => choice().toggle(file, hunk)}
          />
        )}
      </Show>
      <code>{visible(hunk.head.slice(0, MAX_HEAD)) || "@@"}</code>
      <Show when={props.view.marks()?.hunk?.(file, hunk)}>{(mark) => <MarkChip mark={mark()} />}</Show>
      <span class="diff-space" />
      <Show when={props.view.onComment()}>
        {(comment) => (
          <button
            type="button"
            class="plain small"
            aria-label={t("commentHunk", { hunk: hunk.number, path: visible(file.path) })}
            onClick={() => comment()({ file, hunk, line: firstChanged(hunk) })}
          >
            {t("commentShort")}
          </button>
        )}
      </Show>
      <ActionButton view={props.view} file={file} hunk={hunk} />
    </div>
  );
}

function firstChanged(hunk: DiffHunk): DiffLine {
  return hunk.lines.find((line) => line.sign !== " ") ?? (hunk.lines[0] as DiffLine);
}

function markOf(view: DiffChoices, file: DiffFile): Mark | undefined {
  const mark = view.marks()?.file?.(file);
  return mark?.text ? mark : undefined;
}

function MarkChip(props: { mark: Mark }) {
  return (
    <span class="diff-mark" classList={{ "diff-mark-quiet": props.mark.isQuiet }}>
      {visible(props.mark.text)}
    </span>
  );
}

function ActionButton(props: { view: DiffChoices; file: DiffFile; hunk?: DiffHunk }) {
  const path = () => visible(props.file.path);
  return (
    <Show when={props.view.action()}>
      {(action) => (
        <Show when={action().may(props.file, props.hunk)}>
          <button
            type="button"
            class="plain small"
            aria-label={
              props.hunk
                ? t("actHunk", { act: action().label, hunk: props.hunk.number, path: path() })
                : t("actFile", { act: action().label, path: path() })
            }
            disabled={action().isBusy()}
            onClick={() => action().act(props.file, props.hunk)}
          >
            {action().label}
          </button>
        </Show>
      )}
    </Show>
  );
}

export function Note(props: { row: NoteRow }) {
  const file = props.row.file;
  const text = () => {
    if (file.binary) return t("binary");
    return file.modeAfter && file.kind === "update" ? t("onlyMode", modes(file)) : t("noLines");
  };
  return <div class="diff-note">{text()}</div>;
}

function modes(file: DiffFile) {
  return { before: visible(file.modeBefore || "?"), after: visible(file.modeAfter) };
}

function Tick(props: { state: "all" | "some" | "none" | "never"; label: string; onChange: () => void }) {
  let input!: HTMLInputElement;
  createEffect(() => {
    input.checked = props.state === "all";
    input.indeterminate = props.state === "some";
  });
  return (
    <input
      ref={input}
      type="checkbox"
      class="diff-tick"
      aria-label={props.label}
      title={props.label}
      disabled={props.state === "never"}
      onChange={() => props.onChange()}
    />
  );
}
