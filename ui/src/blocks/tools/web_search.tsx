// A search in the web: one line.
import type { JSX } from "solid-js";
import { Icon } from "../../icons/icon";
import { visible } from "../../text/visible";
import { StatusIcon } from "../status_icon";
import type { ViewProps } from "../view";
import { ICONS, verbOf } from "./tool_words";

const MAX_QUERY = 2_000;

export function WebSearch(props: ViewProps<"webSearch">): JSX.Element {
  return (
    <p class="blocks-row">
      <span class="blocks-sign">
        <Icon name={ICONS.web} />
      </span>
      <span class="blocks-summary">
        <span class="blocks-kind">{verbOf("web", props.block.status)}</span>{" "}
        <span class="blocks-line">{visible((props.block.query ?? "").slice(0, MAX_QUERY))}</span>
      </span>
      <StatusIcon status={props.block.status ?? "inProgress"} />
    </p>
  );
}
