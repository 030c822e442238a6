// Sessions that wait for the person: the question itself where there is one, to be answered right here.
import { createMemo, For, type JSX, Show } from "solid-js";
import { AskCard } from "../asks/ask_card";
import { makeGuard } from "../frame/guard";
import { relativeTime, slowNow } from "../frame/time";
import { language } from "../i18n/texts";
import type { Card } from "../model.gen";
import { useRoom } from "../state/room";
import { CardHead } from "./card_head";
import { ByIds, Section } from "./section";
import { t } from "./texts";

export function Waiting(props: { cards: readonly Card[] }): JSX.Element {
  const room = useRoom();
  const keys = createMemo(() => room.inbox().map((one) => `${one.session_id} ${one.ask.id}`), [], {
    equals: (a, b) => a.join("\n") === b.join("\n"),
  });
  const guard = makeGuard(keys);
  const find = (key: string) => room.inbox().find((one) => `${one.session_id} ${one.ask.id}` === key);
  /// Those whose question can be answered only where they run.
  const elsewhere = () => {
    const asking = new Set(room.inbox().map((one) => one.session_id));
    return props.cards.filter((card) => !asking.has(card.session_id));
  };
  return (
    <Section name={t("waiting")} state="waiting_user" count={keys().length + elsewhere().length}>
      <For each={keys()}>
        {(key) => (
          <Show when={find(key)}>
            {(one) => (
              <div class="home-card home-card-waiting">
                <Show when={room.card(one().session_id)}>
                  {(card) => <CardHead card={card()} when={sayAge(one().ask.opened_at_ms)} />}
                </Show>
                <AskCard session={one().session_id} ask={one().ask} guard={guard} heading="h3" />
              </div>
            )}
          </Show>
        )}
      </For>
      <ByIds cards={elsewhere()}>
        {(card) => (
          <div class="home-card home-card-waiting">
            <CardHead card={card()} when={sayAge(card().updated_at_ms)} />
          </div>
        )}
      </ByIds>
    </Section>
  );
}

function sayAge(atMs: number | undefined): string {
  return atMs ? relativeTime(atMs, slowNow(), language()) : "";
}
