// The settings by group, each with what is asked about a change of it.
import { createMemo, For, Show } from "solid-js";
import { AskCard } from "../asks/ask_card";
import "../asks/asks.css";
import { makeGuard } from "../frame/dialogs/guard";
import type { ListedSettings, WaitingAsk } from "../model.gen";
import { useRoom } from "../state/room";
import { Field, type Scope } from "./field";
import { t } from "./texts";
import { groupTitle, makeGroups } from "./values";

export function Groups(props: {
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
        <section class="settings-group" aria-label={groupTitle(name)}>
          <h3>{groupTitle(name)}</h3>
          <For each={keys(name)}>
            {(key) => {
              const waiting = createMemo(() => findWaiting(room.inbox(), key));
              return (
                <Show when={find(key)}>
                  {(setting) => (
                    <Field
                      setting={setting()}
                      scope={props.scope}
                      waits={waiting() !== undefined}
                      write={(value, scope) => props.write(key, value, scope)}
                    >
                      <SettingAsk waiting={waiting()} />
                    </Field>
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
