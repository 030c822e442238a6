// The Asks of one session, above its log; one that is answered elsewhere goes away.
import { createMemo, For, onCleanup, Show } from "solid-js";
import type { Ask } from "../model.gen";
import { type Mirror, useRoom } from "../state/room";
import { AskCard } from "./ask_card";
import { keyOfAsk } from "./ask_key";
import { sayAsk } from "./ask_words";
import "./asks.css";
import { type Guard, makeGuard } from "../frame/dialogs/guard";
import { MessagesHere } from "../frame/toasts";
import { speltLine } from "../text/spelt";
import { t } from "./texts";

export interface AsksProps {
  mirror: Mirror;
  /// The last one that had the focus has been answered: where the focus goes.
  onEmptied?: () => void;
}

export function Asks(props: AsksProps) {
  const session = () => props.mirror.id;
  const room = useRoom();
  const asks = () => (props.mirror.head().asks ?? []).filter((ask) => ask.id !== room.claimedAsk());
  // So that what was typed into a card stays when something else changes. One that is shown again is another.
  const keyOf = (ask: Ask) => keyOfAsk(session(), ask);
  const keys = createMemo(() => asks().map(keyOf), [], { equals: sameKeys });
  const guard = makeGuard(keys);
  let list: HTMLElement | undefined;

  return (
    <>
      <p class="unseen" role="status">
        {asks().length > 0 ? t("asked", { n: asks().length, title: speltLine(titleOf(asks()[0])) }) : ""}
      </p>
      <Show when={keys().length > 0}>
        <MessagesHere />
        <section ref={list} class="asks" aria-label={t("asks")}>
          <For each={keys()}>
            {(key) => (
              <Kept
                ask={asks().find((ask) => keyOf(ask) === key)}
                session={session()}
                guard={guard}
                onGone={(at) => focusNear(list, at, props.onEmptied)}
              />
            )}
          </For>
        </section>
      </Show>
    </>
  );
}

function titleOf(ask: Ask | undefined): string {
  return ask ? sayAsk(ask) : "";
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}

interface KeptProps {
  ask: Ask | undefined;
  session: string;
  guard: Guard;
  onGone: (at: number) => void;
}

/// A card that notices its removal, so that answering by keyboard doesn't lose the focus.
function Kept(props: KeptProps) {
  let card: HTMLElement | undefined;
  onCleanup(() => {
    if (!card?.contains(document.activeElement)) return;
    const at = [...(card.parentElement?.children ?? [])].indexOf(card);
    queueMicrotask(() => props.onGone(at));
  });
  return (
    <Show when={props.ask}>
      {(ask) => (
        <AskCard
          ask={ask()}
          session={props.session}
          guard={props.guard}
          heading="h2"
          ref={(element) => {
            card = element;
          }}
        />
      )}
    </Show>
  );
}

function focusNear(list: HTMLElement | undefined, at: number, otherwise: (() => void) | undefined): void {
  const cards = [...(list?.isConnected ? list.children : [])];
  const near = cards[Math.min(at, cards.length - 1)];
  if (near instanceof HTMLElement) near.focus();
  else otherwise?.();
}
