// A remote person's message, with its sender.
import { type JSX, Show } from "solid-js";
import { Markdown } from "../../text/markdown/markdown";
import { visible } from "../../text/visible";
import { Actions } from "../actions";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function Remote(props: ViewProps<"remote">): JSX.Element {
  return (
    <>
      <Show when={props.block.author}>
        {(author) => (
          <p class="blocks-author">
            <bdi>{visible(author())}</bdi>
            <Show when={props.block.command_id}>
              {(id) => (
                <code class="blocks-order" title={t("orderId")}>
                  {visible(id())}
                </code>
              )}
            </Show>
          </p>
        )}
      </Show>
      <Markdown text={props.block.text} session={props.mirror.id} />
      <Actions
        session={props.mirror.id}
        text={props.block.text}
        atMs={props.block.at_ms}
        block={props.block.id}
      />
    </>
  );
}
