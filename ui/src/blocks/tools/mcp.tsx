// A call of a tool: its server and name, what went in and what came out.
import { type JSX, Show } from "solid-js";
import { Ansi } from "../../text/terminal/ansi";
import { visible } from "../../text/visible";
import { Details } from "../details";
import { t } from "../texts";
import type { ViewProps } from "../view";
import { Json } from "./json";
import { ICONS, verbOf } from "./tool_words";
import { progressOf } from "./waiting";

export function Mcp(props: ViewProps<"mcp">): JSX.Element {
  const progress = () => progressOf(props.mirror, props.block);
  return (
    <Details
      session={props.mirror.id}
      key={props.block.id}
      icon={ICONS.call}
      status={progress()}
      summary={
        <>
          <span class="blocks-kind">{verbOf("call", progress())}</span>{" "}
          <code class="blocks-line">{visible(`${props.block.server ?? ""}/${props.block.tool ?? ""}`)}</code>
        </>
      }
    >
      <Part label={t("arguments")} text={props.block.arguments} />
      <Show when={props.block.progress}>
        {(progress) => (
          <>
            <p class="blocks-label">{t("progress")}</p>
            <Ansi text={progress()} label={t("progress")} />
          </>
        )}
      </Show>
      <Part label={t("result")} text={props.block.result} />
      <Part label={t("error")} text={props.block.error} />
    </Details>
  );
}

function Part(props: { label: string; text: string | undefined }): JSX.Element {
  return (
    <Show when={props.text}>
      {(text) => (
        <>
          <p class="blocks-label">{props.label}</p>
          <Json text={text()} />
        </>
      )}
    </Show>
  );
}
