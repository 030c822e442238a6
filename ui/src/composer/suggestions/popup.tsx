// The popup of suggestions: a list below the eye of the keyboard, which stays in the input.
import { createEffect, For, Show } from "solid-js";
import { visible } from "../../text/visible";
import { t } from "../texts";
import type { Suggestion } from "./suggestions";

export interface PopupProps {
  id: string;
  list: readonly Suggestion[];
  chosen: number;
  truncated: boolean;
  onChoose: (at: number) => void;
  onPoint: (at: number) => void;
}

export const optionId = (popup: string, at: number) => `${popup}-${at}`;

export function Popup(props: PopupProps) {
  let list!: HTMLDivElement;
  createEffect(() => {
    props.list.length;
    list.children[props.chosen]?.scrollIntoView?.({ block: "nearest" });
  });
  return (
    <div class="composer-popup">
      <div ref={list} id={props.id} class="composer-options" role="listbox" aria-label={t("suggestions")}>
        <For each={props.list}>
          {(one, at) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which points here
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            <div
              id={optionId(props.id, at())}
              role="option"
              class="composer-option"
              classList={{ "composer-option-chosen": at() === props.chosen }}
              aria-selected={at() === props.chosen}
              onPointerMove={() => at() !== props.chosen && props.onPoint(at())}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => props.onChoose(at())}
            >
              <span class="composer-option-text">{visible(one.text)}</span>
              <span class="composer-option-note">{visible(one.note)}</span>
            </div>
          )}
        </For>
      </div>
      <Show when={props.truncated}>
        <p class="composer-popup-note">{t("moreFiles")}</p>
      </Show>
      <p class="unseen" role="status">
        {t("suggestionCount", { n: props.list.length })}
      </p>
    </div>
  );
}
