// An error: in the frame of the system's notices, with its details.
import { type JSX, Show } from "solid-js";
import { CopyButton } from "../text/copy";
import { Markdown } from "../text/markdown";
import { visible } from "../text/visible";
import { Details } from "./details";
import { t } from "./texts";
import type { ViewProps } from "./view";

export function ErrorNotice(props: ViewProps<"error">): JSX.Element {
  return (
    <>
      <p class="blocks-row">
        <span class="blocks-title">{visible(props.block.title)}</span>
        <CopyButton text={[props.block.title, props.block.text].filter(Boolean).join("\n\n")} />
      </p>
      <Show when={props.block.text}>
        {(text) => (
          <Details session={props.mirror.id} key={props.block.id} open summary={t("errorDetails")}>
            <Markdown text={text()} session={props.mirror.id} />
          </Details>
        )}
      </Show>
    </>
  );
}
