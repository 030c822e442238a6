// A command that the agent ran: what, where, how it ended, what it said.
import { type JSX, Show } from "solid-js";
import { CopyButton } from "../../text/copy";
import { shownPath } from "../../text/paths";
import { Ansi } from "../../text/terminal/ansi";
import { shorten, visible } from "../../text/visible";
import { Details } from "../details";
import { sayDuration } from "../duration";
import { t } from "../texts";
import type { ViewProps } from "../view";
import { Output } from "./output";
import { ICONS, objectOf, sayTests, verbOf } from "./tool_words";
import { progressOf } from "./waiting";

const MAX_SUMMARY = 160;

export function Command(props: ViewProps<"command">): JSX.Element {
  const progress = () => progressOf(props.mirror, props.block);
  const command = () => visible(props.block.command ?? "");
  const isTest = () => props.block.does === "test";
  const verb = () =>
    isTest()
      ? sayTests(props.block, progress())
      : verbOf(props.block.does ?? "run", progress(), props.block.exit_code != null);
  const first = () => shorten(visible(objectOf(props.block)), MAX_SUMMARY);
  return (
    <Details
      session={props.mirror.id}
      key={props.block.id}
      icon={ICONS[props.block.does ?? "run"]}
      status={progress()}
      open={isTest() && props.block.status === "failed"}
      title={visible(props.block.original || props.block.command || "")}
      note={<Note block={props.block} />}
      summary={
        <>
          <span class="blocks-kind">{verb()}</span> <code class="blocks-line">{first()}</code>
        </>
      }
    >
      <div class="blocks-with-copy">
        <pre class="blocks-code">{command()}</pre>
        <CopyButton text={props.block.command ?? ""} />
      </div>
      <Meta block={props.block} />
      <Show when={props.block.stdin}>
        {(stdin) => (
          <>
            <p class="blocks-label">{t("stdin")}</p>
            <Ansi text={stdin()} label={t("stdin")} />
          </>
        )}
      </Show>
      <Show when={props.block.output} fallback={<NoOutput status={props.block.status} />}>
        {(output) => (
          <Output
            text={output()}
            artifact={`${props.mirror.id}/${props.block.id}/output`}
            growing={(props.block.status ?? "inProgress") === "inProgress"}
          />
        )}
      </Show>
    </Details>
  );
}

/// What is worth a word without opening it. An agent that says 0 ms has measured nothing.
function Note(props: { block: ViewProps<"command">["block"] }): JSX.Element {
  const parts = () =>
    [
      props.block.exit_code ? t("exit", { code: props.block.exit_code }) : "",
      props.block.duration_ms ? sayDuration(props.block.duration_ms) : "",
    ].filter(Boolean);
  return <>{parts().join(" · ")}</>;
}

function Meta(props: { block: ViewProps<"command">["block"] }): JSX.Element {
  const parts = () =>
    [
      props.block.cwd && t("cwd", { path: shownPath(props.block.cwd) }),
      typeof props.block.exit_code === "number" && t("exit", { code: props.block.exit_code }),
      props.block.duration_ms && t("took", { time: sayDuration(props.block.duration_ms) }),
    ].filter(Boolean);
  return (
    <Show when={parts().length > 0}>
      <p class="blocks-meta">{parts().join(" · ")}</p>
    </Show>
  );
}

function NoOutput(props: { status?: string }): JSX.Element {
  return (
    <Show when={props.status !== "inProgress" && props.status !== undefined}>
      <p class="blocks-meta">{t("noOutput")}</p>
    </Show>
  );
}
