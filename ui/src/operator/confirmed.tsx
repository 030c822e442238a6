// A button that asks once more, in its own place.
import { createSignal, type JSX, Show } from "solid-js";
import { t } from "./texts";

export function Confirmed(props: { label: string; question: string; onYes: () => void }): JSX.Element {
  const [isAsked, setAsked] = createSignal(false);
  return (
    <Show
      when={isAsked()}
      fallback={
        <button type="button" class="small" onClick={() => setAsked(true)}>
          {props.label}
        </button>
      }
    >
      <span class="operator-sure" role="alertdialog" aria-label={props.question}>
        <span>{props.question}</span>
        <button
          type="button"
          class="small primary danger"
          onClick={() => {
            setAsked(false);
            props.onYes();
          }}
        >
          {t("yes")}
        </button>
        <button type="button" class="small" autofocus onClick={() => setAsked(false)}>
          {t("no")}
        </button>
      </span>
    </Show>
  );
}
