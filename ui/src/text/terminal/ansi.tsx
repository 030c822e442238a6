// Output of a program, with its colours; while it grows, what is shown stays.
import { createEffect, createMemo, createSignal, Index, type JSX, untrack } from "solid-js";
import { createFramed } from "../frames";
import { GrowingText } from "../growing";
import { parseAnsi } from "./escapes";
import "../text.css";

export const NEAR = 8; // pixels from the end that still count as the end

/// With `follow` the end stays in sight until the reader scrolls up in it.
export function Ansi(props: { text: string; label?: string; follow?: boolean }): JSX.Element {
  let pre: HTMLPreElement | undefined;
  let spent = 0;
  const text = createFramed(
    () => props.text,
    () => spent,
  );
  const runs = createMemo(() => {
    const from = performance.now();
    const parsed = parseAnsi(text());
    spent = performance.now() - from;
    return parsed;
  });
  const [away, setAway] = createSignal(false);
  const look = () => pre && setAway(pre.scrollHeight - pre.clientHeight - pre.scrollTop > NEAR);
  createEffect(() => {
    runs();
    if (props.follow && !untrack(away) && pre) pre.scrollTop = pre.scrollHeight;
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <pre class="text-ansi" ref={pre} role="group" tabindex="0" aria-label={props.label} onScroll={look}>
      <Index each={runs()}>
        {(run) => (
          <span class={run().look}>
            <GrowingText text={run().text} />
          </span>
        )}
      </Index>
    </pre>
  );
}
