// What the agent said, grown word by word.
import { type JSX, Show } from "solid-js";
import { Markdown } from "../text/markdown";
import { Actions } from "./actions";
import { StatusIcon } from "./status_icon";
import type { ViewProps } from "./view";

export function Assistant(props: ViewProps<"assistant">): JSX.Element {
  const broken = () => {
    const status = props.block.status;
    return status === "failed" || status === "cancelled" || status === "declined" ? status : undefined;
  };
  return (
    <div
      classList={{
        "blocks-comment": !props.block.final,
        "blocks-growing": (props.block.status ?? "inProgress") === "inProgress",
      }}
    >
      <Markdown text={props.block.text ?? ""} session={props.mirror.id} />
      <Show when={broken()}>{(status) => <StatusIcon status={status()} />}</Show>
      <Show when={props.block.text}>
        {(text) => (
          <Actions session={props.mirror.id} text={text()} atMs={props.block.at_ms} block={props.block.id} />
        )}
      </Show>
    </div>
  );
}
