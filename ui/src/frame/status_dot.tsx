// The dot of a session: a shape, a colour and a name for each status; stopped and unknown show none.
import type { JSX } from "solid-js";
import type { Card } from "../model.gen";
import "./status_dot.css";
import { t } from "./texts";

export type Status = Card["status"];

/// Seed 003: green and blinking, orange, blue; nothing for what has stopped or is not known.
const SHAPES: Partial<Record<Status, () => JSX.Element>> = {
  working: () => <circle cx="6" cy="6" r="4" />,
  waiting_user: () => <path d="M6 .6 11.4 6 6 11.4.6 6z" />,
  completed: () => (
    <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm2.7 3.7L5.5 8.4 3.4 6.5l.8-.9 1.2 1 2.4-2.8z" />
  ),
};

export function StatusDot(props: { status: Status }) {
  const name = () => t(`status_${props.status}`);
  return (
    <span
      class={`frame-dot frame-dot-${props.status}`}
      title={props.status === "unknown" ? undefined : name()}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" fill="currentColor">
        {SHAPES[props.status]?.()}
      </svg>
      <span class="unseen">{props.status === "unknown" ? "" : name()}</span>
    </span>
  );
}
