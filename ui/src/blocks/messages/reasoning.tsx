// What the agent thought: a summary as Markdown, and the raw thought as it is.
import { createMemo, Index, type JSX, Show } from "solid-js";
import { Markdown } from "../../text/markdown/markdown";
import { Plain } from "../../text/plain";
import { shorten, visible } from "../../text/visible";
import { Details } from "../details";
import { t } from "../texts";
import type { ViewProps } from "../view";

const MAX_PREVIEW = 100;

export function Reasoning(props: ViewProps<"reasoning">): JSX.Element {
  const preview = createMemo(() =>
    visible(shorten(firstLine(props.block.summary?.at(-1) ?? ""), MAX_PREVIEW)),
  );
  const raw = () => props.block.raw ?? [];
  return (
    <Details
      session={props.mirror.id}
      key={props.block.id}
      icon="thought"
      status={props.block.status ?? "inProgress"}
      summary={
        <>
          <span class="blocks-kind">{t("reasoning")}</span> <span class="blocks-dim">{preview()}</span>
        </>
      }
    >
      <Index each={props.block.summary ?? []}>
        {(part) => <Markdown text={part()} session={props.mirror.id} />}
      </Index>
      <Show when={raw().length > 0}>
        <Details session={props.mirror.id} key={`${props.block.id}/raw`} summary={t("raw")}>
          <Index each={raw()}>{(part) => <Plain text={part()} />}</Index>
        </Details>
      </Show>
    </Details>
  );
}

/// Agents put what a thought is about into its first line.
function firstLine(thought: string): string {
  return thought.trim().split("\n", 1)[0]?.replace(/[*#`]/g, "") ?? "";
}
