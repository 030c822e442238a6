// A plan: its steps with a sign each, and what is said about them.
import { Index, type JSX, Show } from "solid-js";
import { Icon, type IconName } from "../../icons/icon";
import type { PlanStep } from "../../model.gen";
import { Markdown } from "../../text/markdown/markdown";
import { Details } from "../details";
import { t } from "../texts";
import type { ViewProps } from "../view";

const SIGNS: Record<PlanStep["status"], IconName> = {
  completed: "done",
  inProgress: "current",
  pending: "pending",
};

export function Plan(props: ViewProps<"plan">): JSX.Element {
  const steps = () => props.block.steps ?? [];
  const done = () => steps().filter((step) => step.status === "completed").length;
  return (
    <Details
      session={props.mirror.id}
      key={props.block.id}
      icon="list"
      open
      summary={
        <>
          <span class="blocks-kind">{t("plan")}</span>{" "}
          <Show when={steps().length > 0}>
            <span class="blocks-dim">{t("steps", { done: done(), count: steps().length })}</span>
          </Show>
        </>
      }
    >
      <Show when={props.block.text}>{(text) => <Markdown text={text()} session={props.mirror.id} />}</Show>
      <ol class="blocks-steps">
        <Index each={steps()}>
          {(step) => (
            <li class={`blocks-step blocks-step-${step().status}`}>
              <span class="blocks-step-sign" role="img" aria-label={t(step().status)}>
                <Icon name={SIGNS[step().status]} />
              </span>
              <Markdown text={step().text} session={props.mirror.id} />
            </li>
          )}
        </Index>
      </ol>
    </Details>
  );
}
