// What was found on this machine, and what is missing.
import { For, Show } from "solid-js";
import { Icon } from "../icons/icon";
import type { Check, Inspected } from "../model.gen";
import { visible } from "../text/visible";
import { Part } from "./part";
import { t } from "./texts";

export function Found(props: {
  inspected: Inspected | undefined;
  failed: string;
  isThere: boolean;
  isOpen: boolean;
  onAgain: () => void;
}) {
  return (
    <Part name={t("found")} isOpen={props.isOpen}>
      <div role="status">
        <Show when={props.failed}>
          <p class="welcome-bad">{props.failed}</p>
        </Show>
        <Show when={!props.inspected && !props.failed}>
          <p class="welcome-dim">{t(props.isThere ? "looking" : "notThere")}</p>
        </Show>
      </div>
      <ul class="welcome-checks">
        <For each={props.inspected?.checks ?? []}>{(check) => <OneCheck check={check} />}</For>
      </ul>
      <Show when={props.inspected || props.failed}>
        <button type="button" disabled={!props.isThere} onClick={() => props.onAgain()}>
          {t("again")}
        </button>
      </Show>
    </Part>
  );
}

const SIGNS = { ok: "check", note: "info", missing: "close" } as const;

function OneCheck(props: { check: Check }) {
  return (
    <li class={`welcome-${props.check.state}`}>
      <Icon name={SIGNS[props.check.state]} />
      <span class="unseen">{t(props.check.state)}: </span>
      <div>
        <strong>{props.check.name}</strong> <span>{visible(props.check.text)}</span>
        <Show when={props.check.next}>
          <p>{visible(props.check.next ?? "")}</p>
        </Show>
      </div>
    </li>
  );
}
