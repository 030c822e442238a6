// The page's own wishes, kept in the browser: theme, language, notifications, how diffs are laid out.
import { createSignal, For, type JSX, Match, Show, Switch } from "solid-js";
import { NOTIFICATIONS } from "../frame/attention/attention";
import type { Theme } from "../host/host";
import { startCommand } from "../host/start_command";
import { LANGUAGES, type Language } from "../i18n/texts";
import { useRoom } from "../state/room";
import { t } from "./texts";

const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast"];
const LAYOUTS = ["auto", "split", "unified"] as const;

export function Wishes() {
  const room = useRoom();
  return (
    <section class="settings-group" aria-labelledby="settings-page">
      <h3 id="settings-page">{t("page")}</h3>
      <p class="settings-dim">{t("pageNote")}</p>
      <Choice
        name="theme"
        label={t("theme")}
        value={room.wish("theme") || "system"}
        options={THEMES.map((theme) => [theme, t(`theme_${theme}`)])}
        onChoose={(theme) => room.setWish("theme", theme)}
      />
      <Choice
        name="language"
        label={t("language")}
        value={room.wish("language") ?? ""}
        options={[
          ["", t("languageSystem")],
          ...(Object.keys(LANGUAGES) as Language[]).map((tag) => [tag, LANGUAGES[tag]] as const),
        ]}
        onChoose={(tag) => room.setWish("language", tag)}
      />
      <Choice
        name="layout"
        label={t("layout")}
        value={room.wish("diff.layout") || "auto"}
        options={LAYOUTS.map((layout) => [layout, t(`layout_${layout}`)])}
        onChoose={(layout) => room.setWish("diff.layout", layout === "auto" ? "" : layout)}
      />
      <Notifications />
      <SignOut />
    </section>
  );
}

function Choice(props: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}) {
  return (
    <label class="settings-wish" data-setting={props.name}>
      <span>{props.label}</span>
      <select onChange={(event) => props.onChoose(event.currentTarget.value)}>
        <For each={props.options}>
          {([value, name]) => (
            <option value={value} selected={value === props.value}>
              {name}
            </option>
          )}
        </For>
      </select>
    </label>
  );
}

function SignOut(): JSX.Element {
  const room = useRoom();
  const [state, setState] = createSignal<"in" | "busy" | "failed">("in");
  const signOut = async () => {
    setState("busy");
    if (await room.host.signOut()) room.close();
    else setState("failed");
  };
  return (
    <Show when={room.host.kind === "browser"}>
      <div class="settings-wish">
        <span>{t("signIn")}</span>
        <div>
          <button type="button" disabled={state() === "busy"} onClick={() => void signOut()}>
            {t("signOut")}
          </button>{" "}
          <small class="settings-dim">{t("signOutNote", { command: startCommand() })}</small>
          <p class="settings-why" role="alert">
            {state() === "failed" ? t("signOutFailed") : ""}
          </p>
        </div>
      </div>
    </Show>
  );
}

function Notifications(): JSX.Element {
  const room = useRoom();
  const [may, setMay] = createSignal(room.host.mayNotify());
  const ask = async () => {
    await room.host.askToNotify();
    setMay(room.host.mayNotify());
  };
  return (
    <div class="settings-wish" data-setting="notify">
      <span>{t("notify")}</span>
      <Switch>
        <Match when={may() === "granted"}>
          <label>
            <input
              type="checkbox"
              checked={room.wish(NOTIFICATIONS) !== "off"}
              onChange={(event) => room.setWish(NOTIFICATIONS, event.currentTarget.checked ? "on" : "off")}
            />{" "}
            {t("notifyLabel")} <small class="settings-dim">{t("notifyNote")}</small>
          </label>
        </Match>
        <Match when={may() === "ask"}>
          <button type="button" onClick={() => void ask()}>
            {t("notifyAsk")}
          </button>
        </Match>
        <Match when={may() === "denied"}>
          <small class="settings-dim">{t("notifyDenied")}</small>
        </Match>
        <Match when={may() === "never"}>
          <small class="settings-dim">{t("notifyNever")}</small>
        </Match>
      </Switch>
    </div>
  );
}
