// The inbox: how many Asks wait in other sessions, and their cards to answer right here.
import { createMemo, For, Show } from "solid-js";
import { PanelButton } from "../frame/panel_button";
import { Icon } from "../icons/icon";
import { MACHINE, useRoom } from "../state/room";
import { AskCard } from "./ask_card";
import "./asks.css";
import { makeGuard } from "../frame/guard";
import { speltLine } from "../text/visible";
import { t } from "./texts";

export function Inbox() {
  const room = useRoom();
  const waiting = createMemo(() => room.inbox().filter((one) => one.session_id !== room.active()));
  const name = () => t("inbox", { n: waiting().length });
  return (
    <PanelButton
      opens="down"
      name={name()}
      class="plain asks-inbox-button"
      label={
        <>
          <Icon name="bell" />
          <Show when={waiting().length > 0}>
            <span class="asks-count">{waiting().length}</span>
          </Show>
        </>
      }
    >
      {(close) => <InboxPanel onLeave={close} />}
    </PanelButton>
  );
}

function InboxPanel(props: { onLeave: () => void }) {
  const room = useRoom();
  const waiting = () => room.inbox().filter((one) => one.session_id !== room.active());
  const keys = createMemo(() => waiting().map((one) => `${one.session_id} ${one.ask.id}`), [], {
    equals: (a, b) => a.join("\n") === b.join("\n"),
  });
  const guard = makeGuard(keys);
  const find = (key: string) => waiting().find((one) => `${one.session_id} ${one.ask.id}` === key);
  const go = (session: string) => {
    props.onLeave();
    room.activate(session);
  };
  return (
    <div class="asks-inbox">
      <h2>{t("inboxTitle")}</h2>
      <For each={keys()} fallback={<p class="asks-dim">{t("inboxEmpty")}</p>}>
        {(key) => (
          <Show when={find(key)}>
            {(one) => (
              <section class="asks-waiting">
                <Show when={one().session_id !== MACHINE}>
                  <button type="button" class="plain asks-session" onClick={() => go(one().session_id)}>
                    {t("goTo", { title: speltLine(one().title) || one().session_id })}
                  </button>
                </Show>
                <AskCard session={one().session_id} ask={one().ask} guard={guard} heading="h3" />
              </section>
            )}
          </Show>
        )}
      </For>
    </div>
  );
}
