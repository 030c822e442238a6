// The settings page, made from the table that the daemon lists: nothing here knows a setting by name.
import { createMemo, createSignal, For, onMount, Show } from "solid-js";
import { AskCard } from "../asks/ask_card";
import "../asks/asks.css";
import { Dialog } from "../frame/dialog";
import { makeGuard } from "../frame/guard";
import { LookNote } from "../frame/looking_only";
import type { ListedSettings, WaitingAsk } from "../model.gen";
import { Lost, Refused, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { sayFault, visible } from "../text/visible";
import { Field, type Scope } from "./field";
import "./settings.css";
import { t } from "./texts";
import { makeGroups } from "./values";
import { Wishes } from "./wishes";

/// `at`: the setting or wish that gets the focus.
export function SettingsOverlay(props: { at?: string | undefined }) {
  const room = useRoom();
  const session = room.active();
  const [listed, setListed] = createSignal<ListedSettings>();
  const [query, setQuery] = createSignal("");
  const [scope, setScope] = createSignal<Scope>("user");
  const [said, setSaid] = createSignal("");
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
      setSaid(t("saved", { key }));
      return undefined;
    } catch (fault) {
      setSaid("");
      return why(fault);
    }
  };
  return (
    <Dialog title={t("title")} wide onClose={() => room.close()}>
      <div class="settings" ref={root}>
        <Wishes />
        <Show when={failed()}>
          <p class="settings-why" role="alert">
            {failed()}{" "}
            <button type="button" onClick={read}>
              {t("retry")}
            </button>
          </p>
        </Show>
        <Show when={listed()} fallback={<p role="status">{failed() ? "" : t("loading")}</p>}>
          {(all) => (
            <>
              <LookNote />
              <Problems problems={all().problems ?? []} />
              <div class="settings-tools">
                <label>
                  <span class="unseen">{t("search")}</span>
                  <input
                    type="search"
                    maxLength={200}
                    placeholder={t("search")}
                    value={query()}
                    onInput={(event) => setQuery(event.currentTarget.value)}
                  />
                </label>
                <label>
                  <span>{t("scope")}</span>{" "}
                  <select onChange={(event) => setScope(event.currentTarget.value as Scope)}>
                    <option value="user">{t("scope_user")}</option>
                    <option value="workspace" disabled={!all().workspace_file}>
                      {t("scope_workspace")}
                    </option>
                  </select>
                </label>
                <span class="settings-dim">
                  {t("file", {
                    file: shownPath(scope() === "user" ? all().user_file : all().workspace_file),
                  })}
                </span>
              </div>
              <Groups listed={all()} query={query()} scope={scope()} write={write} />
            </>
          )}
        </Show>
        <p class="unseen" role="status">
          {said()}
        </p>
      </div>
    </Dialog>
  );
}

/// A change that loosens something waits for its yes beside its setting, where its maker is looking.
function SettingAsk(props: { waiting: WaitingAsk | undefined }) {
  const guard = makeGuard(() => props.waiting?.ask.id);
  return (
    <Show when={props.waiting?.ask.id} keyed>
      <Show when={props.waiting}>
        {(one) => (
          <AskCard
            ref={(card) => queueMicrotask(() => card.scrollIntoView({ block: "nearest" }))}
            session={one().session_id}
            ask={one().ask}
            guard={guard}
            heading="h4"
          />
        )}
      </Show>
    </Show>
  );
}

function findWaiting(inbox: readonly WaitingAsk[], key: string): WaitingAsk | undefined {
  return inbox.find((one) => one.ask.subject.about === "setting" && one.ask.subject.key === key);
}

function Problems(props: { problems: readonly string[] }) {
  return (
    <Show when={props.problems.length > 0}>
      <div class="settings-problems" role="alert">
        <p>{t("problems")}</p>
        <ul>
          <For each={props.problems}>{(problem) => <li>{visible(problem)}</li>}</For>
        </ul>
      </div>
    </Show>
  );
}

function Groups(props: {
  listed: ListedSettings;
  query: string;
  scope: Scope;
  write: (key: string, value: unknown, scope: Scope) => Promise<string | undefined>;
}) {
  const room = useRoom();
  const groups = createMemo(() => makeGroups(props.listed.settings, props.query));
  // By name, so that a field keeps its element and the focus when the list is refreshed.
  const names = createMemo(() => groups().map((group) => group.name));
  const keys = (name: string) => groups().find((group) => group.name === name)?.keys ?? [];
  const find = (key: string) => props.listed.settings.find((setting) => setting.key === key);
  return (
    <For each={names()} fallback={<p role="status">{t("noneFound", { query: props.query })}</p>}>
      {(name) => (
        <section class="settings-group" aria-label={name || t("general")}>
          <h3>{name || t("general")}</h3>
          <For each={keys(name)}>
            {(key) => {
              const waiting = createMemo(() => findWaiting(room.inbox(), key));
              return (
                <Show when={find(key)}>
                  {(setting) => (
                    <>
                      <Field
                        setting={setting()}
                        scope={props.scope}
                        waits={waiting() !== undefined}
                        write={(value, scope) => props.write(key, value, scope)}
                      />
                      <SettingAsk waiting={waiting()} />
                    </>
                  )}
                </Show>
              );
            }}
          </For>
        </section>
      )}
    </For>
  );
}
