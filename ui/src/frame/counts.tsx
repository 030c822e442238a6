// How many lines a change adds and deletes: in numbers, and as five squares.
import { For, type JSX, Show } from "solid-js";
import "./counts.css";
import { t } from "./texts";

/// What is zero is left out.
export function Counts(props: { additions: number; deletions: number }): JSX.Element {
  return (
    <span class="frame-counts">
      <Show when={props.additions > 0}>
        <span class="frame-added">
          <span aria-hidden="true">+{props.additions}</span>
          <span class="unseen">{sayLines("linesAdded", props.additions)}</span>
        </span>
      </Show>
      {props.additions > 0 && props.deletions > 0 ? " " : ""}
      <Show when={props.deletions > 0}>
        <span class="frame-deleted">
          <span aria-hidden="true">−{props.deletions}</span>
          <span class="unseen">{sayLines("linesDeleted", props.deletions)}</span>
        </span>
      </Show>
    </span>
  );
}

function sayLines(text: "linesAdded" | "linesDeleted", count: number): string {
  return count === 1 ? t(`${text}_one`) : t(text, { count });
}

const SQUARES = 5;

export function Bars(props: { additions: number; deletions: number }): JSX.Element {
  return (
    <span class="frame-bars" aria-hidden="true">
      <For each={squares(props.additions, props.deletions)}>
        {(kind) => <i class={`frame-bar-${kind}`} />}
      </For>
    </span>
  );
}

export type Square = "added" | "deleted" | "none";

/// Whatever changed at all has one; the last stays empty unless there is much of it.
export function squares(additions: number, deletions: number): Square[] {
  const all = additions + deletions;
  const filled = all === 0 ? 0 : Math.min(SQUARES, Math.max(1, Math.ceil(Math.log2(all + 1))));
  const share = all === 0 ? 0 : Math.round((filled * additions) / all);
  const most = filled - (deletions > 0 && filled > 1 ? 1 : 0);
  const added = Math.min(most, Math.max(additions > 0 ? 1 : 0, share));
  return Array.from({ length: SQUARES }, (_, at) => {
    if (at < added) return "added";
    return at < filled ? "deleted" : "none";
  });
}
