// A notice of the system; what has no place of its own is kept folded.
import { type JSX, Show } from "solid-js";
import { Markdown } from "../text/markdown";
import { Plain } from "../text/plain";
import { visible } from "../text/visible";
import { Details } from "./details";
import type { ViewProps } from "./view";

export function System(props: ViewProps<"system">): JSX.Element {
  return (
    <Show when={props.block.debug} fallback={<Notice {...props} />}>
      <Details session={props.mirror.id} key={props.block.id} summary={visible(props.block.title ?? "")}>
        <Plain text={props.block.text ?? ""} />
      </Details>
    </Show>
  );
}

function Notice(props: ViewProps<"system">): JSX.Element {
  return (
    <>
      <Show when={props.block.title}>{(title) => <p class="blocks-title">{visible(title())}</p>}</Show>
      <Show when={props.block.text}>{(text) => <Markdown text={text()} session={props.mirror.id} />}</Show>
    </>
  );
}
