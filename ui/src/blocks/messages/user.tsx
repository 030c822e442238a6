// What the person said, with what went along.
import { createMemo, For, type JSX, Show } from "solid-js";
import type { ContextPart } from "../../model.gen";
import { type AttachedFile, parseAttached } from "../../text/attached";
import { Markdown } from "../../text/markdown/markdown";
import { visible } from "../../text/visible";
import { Actions } from "../actions";
import { Picture } from "../pictures/picture";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function User(props: ViewProps<"user">): JSX.Element {
  const said = createMemo(() => parseAttached(props.block.text ?? ""));
  return (
    <>
      <Markdown text={said().words} session={props.mirror.id} />
      <Show when={said().files.length > 0}>
        <ul class="blocks-chips" aria-label={t("attached")}>
          <For each={said().files}>{(file) => <FileChip file={file} />}</For>
        </ul>
      </Show>
      <Show when={props.block.images?.length}>
        <div class="blocks-pictures">
          <For each={props.block.images}>
            {(source) => <Picture session={props.mirror.id} source={source} />}
          </For>
        </div>
      </Show>
      <Show when={props.block.context?.length}>
        <ul class="blocks-chips" aria-label={t("context")}>
          <For each={props.block.context}>{(part) => <Chip part={part} />}</For>
        </ul>
      </Show>
      <Show when={props.block.steered}>
        <span class="blocks-mark">{t("steered")}</span>
      </Show>
      <Show when={props.block.sent === false}>
        <span class="blocks-mark blocks-mark-waiting">{t("notSent")}</span>
      </Show>
      <Actions
        session={props.mirror.id}
        text={props.block.text}
        run={props.block.run}
        atMs={props.block.at_ms}
        block={props.block.id}
      />
    </>
  );
}

function FileChip(props: { file: AttachedFile }): JSX.Element {
  return (
    <li class="blocks-chip" title={visible(props.file.path)}>
      <bdi>{visible(props.file.name)}</bdi>
    </li>
  );
}

function Chip(props: { part: ContextPart }): JSX.Element {
  const note = () => [props.part.left_out && t("leftOut"), props.part.note].filter(Boolean).join(": ");
  return (
    <li class="blocks-chip" classList={{ "blocks-chip-out": props.part.left_out }}>
      <bdi>{visible(props.part.name)}</bdi>
      <Show when={note()}>
        <span class="blocks-dim"> {visible(note())}</span>
      </Show>
    </li>
  );
}
