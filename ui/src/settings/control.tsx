// The control of one setting, by its kind.
import { createSignal, For, Match, Switch } from "solid-js";
import { settingTitle } from "../i18n/setting_titles";
import { Icon } from "../icons/icon";
import type { ListedSetting } from "../model.gen";
import { visible } from "../text/visible";
import { t } from "./texts";
import { asTexts, parseNumber, unitOf } from "./values";

const MAX_TEXT = 2_000; // characters of one value
const MAX_ENTRIES = 200;

export interface ControlProps {
  setting: ListedSetting;
  disabled: boolean;
  id: string;
  label: string; // the id of its label, for a group of inputs
  described: string;
  onWrite: (value: unknown) => void;
  onRefuse: (why: string) => void;
}

export function Control(props: ControlProps) {
  const kind = () => props.setting.kind;
  return (
    <Switch>
      <Match when={kind() === "flag"}>
        <FlagControl {...props} />
      </Match>
      <Match when={kind() === "choice"}>
        <ChoiceControl {...props} />
      </Match>
      <Match when={kind() === "number"}>
        <NumberControl {...props} />
      </Match>
      <Match when={kind() === "text"}>
        <TextControl {...props} />
      </Match>
      <Match when={kind() === "texts" && (props.setting.choices ?? []).length > 0}>
        <ChecksControl {...props} />
      </Match>
      <Match when={kind() === "texts"}>
        <TextsControl {...props} />
      </Match>
    </Switch>
  );
}

function FlagControl(props: ControlProps) {
  return (
    <input
      type="checkbox"
      id={props.id}
      aria-describedby={props.described}
      disabled={props.disabled}
      checked={props.setting.value === true}
      onChange={(event) => {
        const wanted = event.currentTarget.checked;
        event.currentTarget.checked = !wanted; // until the daemon has said yes
        props.onWrite(wanted);
      }}
    />
  );
}

function ChoiceControl(props: ControlProps) {
  return (
    <select
      id={props.id}
      aria-describedby={props.described}
      disabled={props.disabled}
      onChange={(event) => {
        const wanted = event.currentTarget.value;
        event.currentTarget.value = String(props.setting.value); // until the daemon has said yes
        props.onWrite(wanted);
      }}
    >
      <For each={props.setting.choices ?? []}>
        {(choice) => <option selected={choice === props.setting.value}>{choice}</option>}
      </For>
    </select>
  );
}

function NumberControl(props: ControlProps) {
  const write = (text: string) => {
    const number = parseNumber(text);
    if (number === undefined) props.onRefuse(t("notNumber"));
    else props.onWrite(number);
  };
  return (
    <>
      <input
        type="text"
        inputmode="numeric"
        class="settings-number"
        id={props.id}
        aria-describedby={`${props.id}-unit ${props.described}`}
        disabled={props.disabled}
        maxLength={16}
        value={String(props.setting.value ?? "")}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <span id={`${props.id}-unit`} class="settings-unit">
        {unitOf(props.setting.key)}
      </span>
    </>
  );
}

function TextControl(props: ControlProps) {
  return (
    <input
      type="text"
      class="settings-text"
      id={props.id}
      aria-describedby={props.described}
      autocomplete="off"
      spellcheck={false}
      disabled={props.disabled}
      maxLength={MAX_TEXT}
      value={String(props.setting.value ?? "")}
      onChange={(event) => props.onWrite(event.currentTarget.value)}
    />
  );
}

/// A box for each of the words that may be in the list.
function ChecksControl(props: ControlProps) {
  const choices = () => props.setting.choices ?? [];
  const chosen = () => asTexts(props.setting.value);
  return (
    <fieldset
      class="settings-checks"
      aria-labelledby={props.label}
      aria-describedby={props.described}
      disabled={props.disabled}
    >
      <For each={choices()}>
        {(choice) => (
          <label>
            <input
              type="checkbox"
              checked={chosen().includes(choice)}
              onChange={(event) => {
                const wanted = event.currentTarget.checked;
                event.currentTarget.checked = !wanted; // until the daemon has said yes
                props.onWrite(
                  choices().filter((each) => (each === choice ? wanted : chosen().includes(each))),
                );
              }}
            />{" "}
            {visible(choice)}
          </label>
        )}
      </For>
    </fieldset>
  );
}

/// A row for each entry; an empty one at the end becomes the next.
function TextsControl(props: ControlProps) {
  const [added, setAdded] = createSignal("");
  const texts = () => asTexts(props.setting.value);
  const change = (place: number, text: string) =>
    props.onWrite(texts().flatMap((each, at) => (at !== place ? [each] : text.trim() ? [text] : [])));
  const add = () => {
    if (!added().trim()) return;
    props.onWrite([...texts(), added().trim()].slice(0, MAX_ENTRIES));
    setAdded("");
  };
  const name = (n: number) => t("entry", { n, name: settingTitle(props.setting.key) });
  return (
    <fieldset
      class="settings-list"
      aria-labelledby={props.label}
      aria-describedby={props.described}
      disabled={props.disabled}
    >
      <For each={texts()}>
        {(text, place) => (
          <div>
            <input
              type="text"
              aria-label={name(place() + 1)}
              maxLength={MAX_TEXT}
              value={text}
              onChange={(event) => change(place(), event.currentTarget.value)}
            />
            <button
              type="button"
              class="plain icon"
              aria-label={t("remove", { value: visible(text) })}
              title={t("remove", { value: visible(text) })}
              onClick={() => change(place(), "")}
            >
              <Icon name="close" />
            </button>
          </div>
        )}
      </For>
      <div>
        <input
          type="text"
          aria-label={name(texts().length + 1)}
          maxLength={MAX_TEXT}
          value={added()}
          onInput={(event) => setAdded(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.isComposing) add();
          }}
        />
        <button type="button" disabled={!added().trim()} onClick={add}>
          {t("add")}
        </button>
      </div>
    </fieldset>
  );
}
