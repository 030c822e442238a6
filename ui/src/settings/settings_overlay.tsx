// The settings page, made from the table that the daemon lists: nothing here knows a setting by name.
import { createSignal, For, onMount, Show } from "solid-js";
import { Dialog } from "../frame/dialogs/dialog";
import { LookNote } from "../frame/dialogs/looking_only";
import { settingTitle } from "../i18n/setting_titles";
import type { ListedSettings } from "../model.gen";
import { Lost, Refused, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { sayFault, visible } from "../text/visible";
import { ClaudeHooks, isAboutHooks } from "./claude_hooks";
import type { Scope } from "./field";
import { Groups } from "./groups";
import { HOOKS } from "./hooks_texts";
import "./settings.css";
import { ownSession } from "../state/sessions/viewed";
import { t } from "./texts";
import { TrustedFolders } from "./trusted_folders";
import { Wishes } from "./wishes";

/// `at`: the setting or wish that gets the focus.
export function SettingsOverlay(props: { at?: string | undefined }) {
  const room = useRoom();
  const session = ownSession(room);
  const [listed, setListed] = createSignal<ListedSettings>();
  const [query, setQuery] = createSignal("");
  const [scope, setScope] = createSignal<Scope>("user");
  const [saved, setSaved] = createSignal("");
  const [failed, setFailed] = createSignal("");

  const why = (fault: unknown) => {
    if (fault instanceof Refused) return sayFault(fault);
    return t(fault instanceof Lost && fault.wasSent ? "cutOff" : "lost");
  };
  const read = () =>
    room.call("settings.list", { session_id: session }).then(
      (all) => {
        setFailed("");
        setListed(all);
        goTo(props.at);
      },
      (fault) => setFailed(why(fault)),
    );
  let root!: HTMLDivElement;
  const goTo = (name: string | undefined) => {
    const sought = name && root.querySelector<HTMLElement>(`[data-setting="${CSS.escape(name)}"]`);
    if (!sought) return;
    sought.classList.add("settings-sought");
    sought.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    sought.scrollIntoView({ block: "center" });
  };
  onMount(read);
  const write = async (key: string, value: unknown, to: Scope): Promise<string | undefined> => {
    try {
      setListed(await room.call("settings.set", { key, value, scope: to, session_id: session }));
      setSaved(key);
      return undefined;
    } catch (fault) {
      setSaved("");
      return why(fault);
    }
  };
  return (
    <Dialog title={t("title")} wide onClose={() => room.close()}>
      <div class="settings" ref={root}>
        <Show when={failed()}>
          <p class="settings-why" role="alert">
            {failed()}{" "}
            <button type="button" onClick={read}>
              {t("retry")}
            </button>
          </p>
        </Show>
        <Show when={listed()} fallback={<Unlisted isFailed={failed() !== ""} />}>
          {(all) => (
            <>
              <LookNote />
              <Problems title={t("problems")} problems={all().problems ?? []} />
              <Problems title={t("ignored")} problems={all().ignored ?? []} />
              <Tools listed={all()} scope={scope()} query={query()} onScope={setScope} onQuery={setQuery} />
              <Show when={!query().trim()}>
                <Wishes />
                <TrustedFolders />
              </Show>
              <Show when={isAboutHooks(query())}>
                <ClaudeHooks onShown={() => props.at === HOOKS && goTo(HOOKS)} />
              </Show>
              <Groups listed={all()} query={query()} scope={scope()} write={write} />
            </>
          )}
        </Show>
        <p class="unseen" role="status" data-saved={saved()}>
          {saved() ? t("saved", { name: settingTitle(saved()) }) : ""}
        </p>
      </div>
    </Dialog>
  );
}

function Problems(props: { title: string; problems: readonly string[] }) {
  return (
    <Show when={props.problems.length > 0}>
      <div class="settings-problems" role="alert">
        <p>{props.title}</p>
        <ul>
          <For each={props.problems}>{(problem) => <li>{visible(problem)}</li>}</For>
        </ul>
      </div>
    </Show>
  );
}

/// What the browser keeps can be changed also while the daemon is away.
function Unlisted(props: { isFailed: boolean }) {
  return (
    <>
      <p role="status">{props.isFailed ? "" : t("loading")}</p>
      <Wishes />
    </>
  );
}

interface ToolsProps {
  listed: ListedSettings;
  scope: Scope;
  query: string;
  onScope: (scope: Scope) => void;
  onQuery: (query: string) => void;
}

function Tools(props: ToolsProps) {
  const file = () => (props.scope === "user" ? props.listed.user_file : props.listed.workspace_file);
  return (
    <div class="settings-tools">
      <label class="settings-search">
        <span class="unseen">{t("search")}</span>
        <input
          type="search"
          maxLength={200}
          placeholder={t("search")}
          value={props.query}
          onInput={(event) => props.onQuery(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>{t("scope")}</span>{" "}
        <select onChange={(event) => props.onScope(event.currentTarget.value as Scope)}>
          <option value="user">{t("scope_user")}</option>
          <option value="workspace" disabled={!props.listed.workspace_file}>
            {t("scope_workspace")}
          </option>
        </select>
      </label>
      <span class="settings-dim">{t("file", { file: shownPath(file()) })}</span>
    </div>
  );
}
