// Sessions that wait for the person: the question itself where there is one, to be answered right here.
import { createMemo, For, type JSX, Show } from "solid-js";
import { AskCard } from "../asks/ask_card";
import { keyOfAsk } from "../asks/ask_key";
import { makeGuard } from "../frame/dialogs/guard";
import { sinceMs } from "../frame/session/age";
import { relativeTime, slowNow } from "../frame/time";
import { language } from "../i18n/texts";
import type { WaitingAsk, WatchedSession } from "../model.gen";
import { useRoom } from "../state/room";
import { CardHead } from "./card_head";
import type { HomeEntry } from "./entries";
import { ByKeys, Either, Section } from "./section";
import { t } from "./texts";

export interface WaitingProps {
  asks: readonly WaitingAsk[];
  entries: readonly HomeEntry[];
  more: number;
  theirs: (session: () => WatchedSession) => JSX.Element;
}

export function Waiting(props: WaitingProps): JSX.Element {
  const room = useRoom();
  const keys = createMemo(() => props.asks.map((one) => keyOfAsk(one.session_id, one.ask)), [], {
    equals: (a, b) => a.join("\n") === b.join("\n"),
  });
  const guard = makeGuard(keys);
  const find = (key: string) => props.asks.find((one) => keyOfAsk(one.session_id, one.ask) === key);
  /// Those whose question can be answered only where they run.
  const elsewhere = () => {
    const asking = new Set(props.asks.map((one) => one.session_id));
    return props.entries.filter((entry) => entry.kind === "theirs" || !asking.has(entry.card.session_id));
  };
  return (
    <Section
      name={t("waiting")}
      state="waiting_user"
      count={keys().length + elsewhere().length + props.more}
      more={props.more}
    >
      <For each={keys()}>
        {(key) => (
          <Show when={find(key)}>
            {(one) => (
              <div class="home-card home-card-waiting">
                <Show when={room.card(one().session_id)}>
                  {(card) => <CardHead card={card()} when={sayAge(sinceMs(room, card()))} />}
                </Show>
                <AskCard
                  session={one().session_id}
                  ask={one().ask}
                  guard={guard}
                  heading="h3"
                  compact
                  isFirst={keys()[0] === key}
                />
              </div>
            )}
          </Show>
        )}
      </For>
      <ByKeys entries={elsewhere()}>
        {(entry) => (
          <Either
            entry={entry()}
            ours={(card) => (
              <div class="home-card home-card-waiting">
                <CardHead card={card()} when={sayAge(sinceMs(room, card()))} />
              </div>
            )}
            theirs={props.theirs}
          />
        )}
      </ByKeys>
    </Section>
  );
}

function sayAge(atMs: number | undefined): string {
  return atMs ? relativeTime(atMs, slowNow(), language()) : "";
}
