// An image that the agent made or looked at.
import { type JSX, Show } from "solid-js";
import { visible } from "../../text/visible";
import { StatusIcon } from "../status_icon";
import type { ViewProps } from "../view";
import { Picture } from "./picture";

export function ImageView(props: ViewProps<"image">): JSX.Element {
  const source = () => props.block.path || props.block.url || "";
  const status = () => (props.block.status === "completed" ? undefined : props.block.status);
  return (
    <figure class="blocks-figure">
      <Show when={source()} keyed>
        {(from) => <Picture session={props.mirror.id} source={from} caption={props.block.caption} />}
      </Show>
      <figcaption>
        <span class="blocks-summary">{visible(props.block.caption || props.block.path || "")}</span>
        <Show when={status()}>{(now) => <StatusIcon status={now()} />}</Show>
      </figcaption>
    </figure>
  );
}
