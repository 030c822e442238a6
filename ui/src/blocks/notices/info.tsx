// A notice: a white card with a title and a few facts.
import { Index, type JSX, Show } from "solid-js";
import { sentence } from "../../i18n/sentence";
import type { Fact } from "../../model.gen";
import { Markdown } from "../../text/markdown/markdown";
import { shownPath } from "../../text/paths";
import { shorten, visible } from "../../text/visible";
import { sayText, sayTitle } from "../said_block";
import { StatusIcon } from "../status_icon";
import type { ViewProps } from "../view";

const MAX_FACT = 2_000;
const ENGLISH: Readonly<Record<string, string>> = { cwd: "folder", version: "agent version" };

export function Info(props: ViewProps<"info">): JSX.Element {
  const status = () => (props.block.status === "completed" ? undefined : props.block.status);
  return (
    <>
      <p class="blocks-row">
        <span class="blocks-title">{visible(sayTitle(props.block.said, props.block.title))}</span>
        <Show when={status()}>{(now) => <StatusIcon status={now()} />}</Show>
      </p>
      <Show when={sayText(props.block.said, props.block.text ?? "")}>
        {(text) => <Markdown text={text()} session={props.mirror.id} />}
      </Show>
      <Show when={props.block.facts?.length}>
        <dl class="blocks-facts">
          <Index each={props.block.facts}>
            {(fact) => (
              <>
                <dt>{visible(sentence(`fact.${fact().name}`, ENGLISH[fact().name] ?? fact().name))}</dt>
                <dd>
                  <bdi>{shorten(shownFact(fact()), MAX_FACT)}</bdi>
                </dd>
              </>
            )}
          </Index>
        </dl>
      </Show>
    </>
  );
}

function shownFact(fact: Fact): string {
  return fact.name === "cwd" ? shownPath(fact.value) : visible(fact.value);
}
