// The dot of a session: a shape, a colour and a name for each status, the same word everywhere.
import { type JSX, Show } from "solid-js";
import type { Card } from "../../model.gen";
import { type ShownStatus, type Status, shownStatus } from "./shown_status";
import "./status_dot.css";
import { t } from "../texts";

/// Seed 003: green and blinking, orange, blue; nothing for a program that has ended, or that nobody knows of.
const SHAPES: Partial<Record<ShownStatus, () => JSX.Element>> = {
  working: () => <circle cx="6" cy="6" r="4" />,
  waiting_user: () => <path d="M6 .6 11.4 6 6 11.4.6 6z" />,
  completed: () => (
    <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm2.7 3.7L5.5 8.4 3.4 6.5l.8-.9 1.2 1 2.4-2.8z" />
  ),
  failed: () => (
    <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm2.5 6.7-.8.8L6 6.8 4.3 8.5l-.8-.8L5.2 6 3.5 4.3l.8-.8L6 5.2l1.7-1.7.8.8L6.8 6z" />
  ),
  interrupted: () => <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm2 7H4V4h4z" />,
  declined: () => <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm3 5.6H3V5.4h6z" />,
};

export interface StatusDotProps {
  status: Status;
  /// How its last run ended: what failed is not done.
  outcome?: Card["outcome"];
  /// Next to words that say the same.
  decorative?: boolean;
  /// Lays the stop mark over the dot: its screen stands still, or a person's input is certainly needed.
  mark?: boolean;
  /// On hover, instead of the name: where the status comes from.
  hint?: string;
}

export function sayStatus(shown: ShownStatus): string {
  return t(`status_${shown}`);
}

export function StatusDot(props: StatusDotProps) {
  const shown = () => shownStatus(props.status, props.outcome);
  const name = () => (shown() === "unknown" || props.decorative ? "" : sayStatus(shown()));
  return (
    <span class={`frame-dot frame-dot-${shown()}`} title={props.hint || name() || undefined}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" fill="currentColor">
        {SHAPES[shown()]?.()}
      </svg>
      <Show when={props.mark && SHAPES[shown()]}>
        <svg class="frame-dot-mark" viewBox="0 0 6 6" width="6" height="6" aria-hidden="true">
          <rect x="0.5" y="0.5" width="5" height="5" />
        </svg>
      </Show>
      <span class="unseen">{name()}</span>
    </span>
  );
}
