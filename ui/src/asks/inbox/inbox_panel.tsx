// The cards of what waits in other sessions, to be answered right here. Loaded when the inbox is first opened.
import { createMemo, For, onMount, Show } from "solid-js";
import { makeGuard } from "../../frame/dialogs/guard";
import { MACHINE, useRoom } from "../../state/room";
import { speltLine } from "../../text/spelt";
import { AskCard } from "../ask_card";
import { keyOfAsk } from "../ask_key";
import { t } from "../texts";
import "../asks.css";

const FIRST = "button:not(:disabled), [tabindex='0']";

export default function InboxPanel(props: { onLeave: () => void }) {
  const room = useRoom();
  const waiting = () => room.inbox().filter((one) => one.session_id !== room.active());
  const keys = createMemo(() => waiting().map((one) => keyOfAsk(one.session_id, one.ask)), [], {
    equals: (a, b) => a.join("\n") === b.join("\n"),
  });
  const guard = makeGuard(keys);
  const find = (key: string) => waiting().find((one) => keyOfAsk(one.session_id, one.ask) === key);
  const go = (session: string) => {
    props.onLeave();
    room.activate(session);
  };
  let panel!: HTMLDivElement;
  onMount(() => panel.querySelector<HTMLElement>(FIRST)?.focus()); // the button opened it before this was here
  return (
    <div ref={panel} class="asks-inbox">
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
