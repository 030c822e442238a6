// A search in the web: one line.
import type { JSX } from "solid-js";
import { visible } from "../text/visible";
import { StatusIcon } from "./status_icon";
import { t } from "./texts";
import type { ViewProps } from "./view";

const MAX_QUERY = 2_000;

export function WebSearch(props: ViewProps<"webSearch">): JSX.Element {
  return (
    <p class="blocks-row">
      <span class="blocks-summary">
        <span aria-hidden="true">🔎</span>{" "}
        {visible((props.block.query ?? "").slice(0, MAX_QUERY)) || t("searching")}
      </span>
      <StatusIcon status={props.block.status ?? "inProgress"} />
    </p>
  );
}
