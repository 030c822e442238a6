// What the agent said, grown word by word. How its run ended is said at the end of the run.
import { type JSX, Show } from "solid-js";
import { Markdown } from "../../text/markdown/markdown";
import { Actions } from "../actions";
import type { ViewProps } from "../view";

export function Assistant(props: ViewProps<"assistant">): JSX.Element {
  return (
    <div
      classList={{
        "blocks-comment": !props.block.final,
        "blocks-growing": (props.block.status ?? "inProgress") === "inProgress",
      }}
    >
      <Markdown text={props.block.text ?? ""} session={props.mirror.id} />
      <Show when={props.block.text}>
        {(text) => (
          <Actions session={props.mirror.id} text={text()} atMs={props.block.at_ms} block={props.block.id} />
        )}
      </Show>
    </div>
  );
}
