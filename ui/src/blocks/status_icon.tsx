// How far something is, as one sign with a name.
import { type JSX, Show } from "solid-js";
import { Icon, type IconName } from "../icons/icon";
import { t } from "./texts";

export type StatusSign = "cancelled" | "completed" | "declined" | "failed" | "inProgress" | "waiting";

const SIGNS: Record<StatusSign, IconName | undefined> = {
  inProgress: undefined, // turns, by its class
  waiting: undefined, // the dot of what waits, by its class
  completed: "check",
  failed: "failed",
  declined: "declined",
  cancelled: "cancelled",
};

export function StatusIcon(props: { status: StatusSign }): JSX.Element {
  return (
    <span
      class={`blocks-status blocks-status-${props.status}`}
      role="img"
      aria-label={t(props.status)}
      title={t(props.status)}
    >
      <Show when={SIGNS[props.status]}>{(name) => <Icon name={name()} />}</Show>
    </span>
  );
}
