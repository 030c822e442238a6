// A part of how to begin: folded to its name once there are sessions.
import type { JSX } from "solid-js";

export function Part(props: { name: string; isOpen: boolean; children: JSX.Element }): JSX.Element {
  return (
    <section aria-label={props.name}>
      <details open={props.isOpen}>
        <summary>
          <h3>{props.name}</h3>
        </summary>
        {props.children}
      </details>
    </section>
  );
}
