// How far something is, as one sign with a name.
import type { JSX } from "solid-js";
import { t } from "./texts";

export type Progress = "cancelled" | "completed" | "declined" | "failed" | "inProgress";

const SIGNS: Record<Progress, string> = {
  inProgress: "", // turns, by its class
  completed: "✓",
  failed: "✕",
  declined: "−",
  cancelled: "−",
};

export function StatusIcon(props: { status: Progress }): JSX.Element {
  return (
    <span
      class={`blocks-status blocks-status-${props.status}`}
      role="img"
      aria-label={t(props.status)}
      title={t(props.status)}
    >
      {SIGNS[props.status]}
    </span>
  );
}
