// A line across the log: how long was worked, and what happened.
import { type JSX, Show } from "solid-js";
import { visible } from "../../text/visible";
import { sayText, sayTitle } from "../said_block";
import type { ViewProps } from "../view";

export function Divider(props: ViewProps<"divider">): JSX.Element {
  const worked = () => {
    const said = props.block.said;
    return said?.code === "compacted" && said.fields?.worked_ms !== undefined
      ? { code: "compacted.worked", fields: { ms: said.fields.worked_ms } }
      : said;
  };
  return (
    <div class="blocks-line-across">
      <Show when={sayTitle(worked(), props.block.title)}>
        {(title) => <p class="blocks-across-title">{visible(title())}</p>}
      </Show>
      <Show when={sayText(props.block.said, props.block.text)}>{(text) => <p>• {visible(text())}</p>}</Show>
    </div>
  );
}
