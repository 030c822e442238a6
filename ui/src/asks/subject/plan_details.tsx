// The plan that a yes is bound to, for those who compare it with what another surface shows.
import { type JSX, Show } from "solid-js";
import { visible } from "../../text/visible";
import { t } from "../texts";

const SHOWN = 12; // characters of the hash, as everywhere else

export function PlanDetails(props: { plan: string | undefined }): JSX.Element {
  return (
    <Show when={props.plan}>
      {(plan) => (
        <details class="asks-plan">
          <summary>{t("details")}</summary>
          <span class="asks-dim">{t("plan")}</span> <code>{visible(plan().slice(0, SHOWN))}</code>
        </details>
      )}
    </Show>
  );
}
