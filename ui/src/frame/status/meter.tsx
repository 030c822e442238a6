// A bar that fills from the left with what is used; its colour warns when little is left.
import { howFull } from "./usage";
import "./meter.css";

export function Meter(props: { percent: number; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <meter> takes its colours from the browser alone
    <span
      class={`frame-meter frame-meter-${howFull(props.percent)}`}
      role="meter"
      aria-label={props.label}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow={props.percent}
    >
      <span style={{ width: `${Math.min(100, props.percent)}%` }} />
    </span>
  );
}
