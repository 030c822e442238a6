// One setting: its name and what it does, its control beside them, its key, and why a value was refused.
import { createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { settingDoc } from "../i18n/setting_docs";
import { settingTitle } from "../i18n/setting_titles";
import type { ListedSetting, SetSettingParams } from "../model.gen";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { visible } from "../text/visible";
import { Control } from "./control";
import { t } from "./texts";
import { showRange, showValue } from "./values";

export type Scope = NonNullable<SetSettingParams["scope"]>;

export interface SettingFieldProps {
  setting: ListedSetting;
  scope: Scope;
  waits: boolean; // a change of it for a yes
  /// Writes, and gives back why not.
  write: (value: unknown, scope: Scope) => Promise<string | undefined>;
  /// What is asked about a change of it.
  children?: JSX.Element;
}

export function Field(props: SettingFieldProps) {
  const id = createUniqueId();
  const [why, setWhy] = createSignal<string>();
  const room = useRoom();
  const isLooking = () => !mayAct(room.access());
  const disabled = () => isLooking() || (props.scope === "workspace" && props.setting.workspace === "never");
  const write = async (value: unknown, scope: Scope) => setWhy(await props.write(value, scope));
  const reset = () => write(null, props.setting.source === "workspace" ? "workspace" : "user");
  return (
    <div
      class="settings-field"
      classList={{
        "settings-refused": why() !== undefined,
        "settings-flag": props.setting.kind === "flag",
      }}
      data-setting={props.setting.key}
    >
      <div class="settings-words">
        <div class="settings-name">
          <label id={`${id}-name`} for={id}>
            {settingTitle(props.setting.key)}
          </label>
          <Show when={props.setting.source !== "default"}>
            <span class="settings-source">{t(`source_${props.setting.source}`)}</span>
          </Show>
        </div>
        <div id={`${id}-doc`} class="settings-doc">
          <p>{settingDoc(props.setting.key, props.setting.doc)}</p>
          <Show when={ruleOf(props.setting)}>{(rule) => <p class="settings-dim">{rule()}</p>}</Show>
          <p class="settings-dim settings-key">
            <code>{props.setting.key}</code>
            <span>
              {[t("default", { value: visible(showValue(props.setting.default)) }), showRange(props.setting)]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </p>
        </div>
      </div>
      <div class="settings-control">
        <Control
          setting={props.setting}
          disabled={disabled()}
          id={id}
          label={`${id}-name`}
          described={`${id}-doc ${id}-why`}
          onWrite={(value) => void write(value, props.scope)}
          onRefuse={setWhy}
        />
        <Show when={!isLooking() && props.setting.source !== "default"}>
          <button
            type="button"
            class="plain small"
            aria-label={t("reset", { name: settingTitle(props.setting.key) })}
            onClick={() => void reset()}
          >
            {t("resetShort")}
          </button>
        </Show>
      </div>
      <p class="settings-waits" role="status">
        {props.waits ? t("askWaits") : ""}
      </p>
      <p id={`${id}-why`} class="settings-why" role="alert">
        {why() ?? ""}
      </p>
      {props.children}
    </div>
  );
}

function ruleOf(setting: ListedSetting): string {
  return setting.workspace === "free" ? "" : t(`rule_${setting.workspace}`);
}
