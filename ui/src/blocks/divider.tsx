// A line across the log: how long was worked, and what happened.
import { type JSX, Show } from "solid-js";
import { visible } from "../text/visible";
import type { ViewProps } from "./view";

export function Divider(props: ViewProps<"divider">): JSX.Element {
  return (
    <div class="blocks-line-across">
      <Show when={props.block.title}>{(title) => <p class="blocks-across-title">{visible(title())}</p>}</Show>
      <Show when={props.block.text}>{(text) => <p>• {visible(text())}</p>}</Show>
    </div>
  );
}
