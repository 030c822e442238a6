// A section of the home page: its state, its name, how many it lists; and a list whose cards keep their elements.
import { createMemo, createUniqueId, For, type JSX, Show } from "solid-js";
import { type Status, StatusDot } from "../frame/status_dot";
import type { Card } from "../model.gen";

export interface SectionProps {
  name: string;
  state: Status;
  count: number;
  tools?: JSX.Element;
  children: JSX.Element;
}

export function Section(props: SectionProps): JSX.Element {
  const id = createUniqueId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <StatusDot status={props.state} decorative />
        {props.name} <span class="home-count">{props.count}</span>
        <span class="home-gap" />
        {props.tools}
      </h2>
      {props.children}
    </section>
  );
}

/// By id: what has the focus stays when a session changes.
export function ByIds(props: {
  cards: readonly Card[];
  children: (card: () => Card) => JSX.Element;
}): JSX.Element {
  const ids = createMemo(() => props.cards.map((card) => card.session_id), [], { equals: isSame });
  const find = (id: string) => props.cards.find((card) => card.session_id === id);
  return <For each={ids()}>{(id) => <Show when={find(id)}>{(card) => props.children(card)}</Show>}</For>;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
