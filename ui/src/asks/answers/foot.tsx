// The foot of an Ask: the answers, the rule of a lasting one, and the reason of a no.
import { createSignal, createUniqueId, For, Show } from "solid-js";
import { LookingOnly } from "../../frame/dialogs/looking_only";
import type { Ask, Choice } from "../../model.gen";
import { spelt, speltLine } from "../../text/spelt";
import { sayChoice, sayRule } from "../ask_words";
import { Shortened } from "../reading/shortened";
import { t } from "../texts";
import { findNo, findYes, MAX_REASON } from "./answers";

const RULE_LINES = 2;
const RULE_LENGTH = 160; // characters

interface FootProps {
  ask: Ask;
  choices: readonly Choice[];
  isSent: boolean;
  isThere: boolean;
  reason: string;
  onReason: (reason: string) => void;
  onChoose: (choice: Choice) => void;
}

/// The answers, always in sight, and on demand the reason of a no.
export function Foot(props: FootProps) {
  const [isGiving, setGiving] = createSignal(false);
  const takesReason = () => props.ask.by !== "bascule" && findNo(props.choices) !== undefined;
  return (
    <div class="asks-foot">
      <div class="asks-choices">
        <For each={props.choices}>
          {(choice) => (
            <ChoiceButton
              ask={props.ask}
              choice={choice}
              shortcut={shortcutOf(choice, props.choices)}
              disabled={props.isSent || !props.isThere}
              onChoose={() => props.onChoose(choice)}
            />
          )}
        </For>
        <Show when={takesReason() && !isGiving() && !props.reason}>
          <button
            type="button"
            class="plain asks-give"
            disabled={!props.isThere}
            onClick={() => setGiving(true)}
          >
            {t("giveReason")}
          </button>
        </Show>
      </div>
      <Show when={!props.isThere}>
        <p class="asks-away" role="note">
          {t("away")}
        </p>
      </Show>
      <LookingOnly ask={props.ask} />
      <Show when={takesReason() && (isGiving() || props.reason)}>
        <label class="asks-reason">
          <span class="unseen">{t("reason")}</span>
          <textarea
            ref={(field) => queueMicrotask(() => field.focus())}
            rows={1}
            maxLength={MAX_REASON}
            placeholder={t("reasonHint")}
            value={props.reason}
            onInput={(event) => props.onReason(event.currentTarget.value)}
          />
        </label>
      </Show>
    </div>
  );
}

function shortcutOf(choice: Choice, choices: readonly Choice[]): string {
  if (choice === findYes(choices)) return "y";
  return choice === findNo(choices) ? "n" : "";
}

interface ChoiceButtonProps {
  ask: Ask;
  choice: Choice;
  shortcut: string;
  disabled: boolean;
  onChoose: () => void;
}

/// The rule that a lasting answer would write is read before it is chosen.
function ChoiceButton(props: ChoiceButtonProps) {
  const rule = createUniqueId();
  return (
    <div class="asks-choice">
      <button
        type="button"
        classList={{ primary: props.shortcut === "y" }}
        disabled={props.disabled}
        aria-describedby={props.choice.rule ? rule : undefined}
        aria-keyshortcuts={props.shortcut || undefined}
        onClick={props.onChoose}
      >
        {speltLine(sayChoice(props.ask, props.choice))}
        <Show when={props.shortcut}>
          <span aria-hidden="true">
            <kbd>{props.shortcut}</kbd>
          </span>
        </Show>
      </button>
      <Show when={props.choice.rule}>
        <span class="asks-rule">
          <span class="asks-rule-of" aria-hidden="true">
            {speltLine(sayChoice(props.ask, props.choice))}:{" "}
          </span>
          <span id={rule}>
            <Shortened text={spelt(sayRule(props.choice))} lines={RULE_LINES} length={RULE_LENGTH} />
          </span>
        </span>
      </Show>
    </div>
  );
}
