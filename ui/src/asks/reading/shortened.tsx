// Words beside what is asked, an agent's reason or a rule: short, with a way to see all of them.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { t } from "../texts";
import { findBeginning } from "./long_text";

export function Shortened(props: { text: string; lines: number; length: number }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false);
  const beginning = createMemo(() => findBeginning(props.text, props.lines, props.length));
  return (
    <Show when={beginning() !== undefined} fallback={props.text}>
      <Show when={isOpen()} fallback={`${beginning()}…`}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <span class="asks-whole" role="group" tabindex="0">
          {props.text}
        </span>
      </Show>{" "}
      <button
        type="button"
        class="plain asks-unfold"
        aria-expanded={isOpen()}
        onClick={() => setOpen(!isOpen())}
      >
        {t(isOpen() ? "showLess" : "showAll")}
      </button>
    </Show>
  );
}
