// Short messages over everything: said aloud, counted when they come again, sent away by hand.
import { createMemo, For, Show } from "solid-js";
import { Portal } from "solid-js/web";
import { Icon } from "../icons/icon";
import { type Toast, useRoom } from "../state/room";
import { visible } from "../text/visible";
import { keepMessagesHere, messagePlace } from "./dialogs/open_dialogs";
import { t } from "./texts";
import "./toasts.css";

export function Toasts() {
  const room = useRoom();
  const loud = createMemo(() => room.toasts().filter((toast) => toast.level === "error"));
  const soft = createMemo(() => room.toasts().filter((toast) => toast.level !== "error"));
  return (
    <Portal
      mount={messagePlace() ?? document.body}
      ref={(slot) => {
        slot.className = "frame-toasts-slot";
      }}
    >
      <section class="frame-toasts" aria-label={t("toasts")}>
        <div role="status">
          <For each={soft()}>{(toast) => <OneToast toast={toast} />}</For>
        </div>
        <div role="alert">
          <For each={loud()}>{(toast) => <OneToast toast={toast} />}</For>
        </div>
      </section>
    </Portal>
  );
}

/// Where they are in the flow, above a question.
export function MessagesHere() {
  let element!: HTMLDivElement;
  keepMessagesHere(() => element);
  return <div ref={element} class="frame-messages" />;
}

function OneToast(props: { toast: Toast }) {
  const room = useRoom();
  return (
    <div class={`frame-toast frame-toast-${props.toast.level}`}>
      <span class="unseen">{t(`level_${props.toast.level}`)}: </span>
      <span class="frame-toast-text">{visible(props.toast.message)}</span>
      <Show when={props.toast.count > 1}>
        <span class="frame-toast-count" title={t("toastCount", { n: props.toast.count })}>
          <span aria-hidden="true">×{props.toast.count}</span>
          <span class="unseen">{t("toastCount", { n: props.toast.count })}</span>
        </span>
      </Show>
      <Show when={props.toast.action}>
        {(action) => (
          <button
            type="button"
            class="small"
            onClick={() => {
              room.dismiss(props.toast.id);
              action().act();
            }}
          >
            {action().label}
          </button>
        )}
      </Show>
      <button
        type="button"
        class="plain icon"
        aria-label={t("dismiss")}
        title={t("dismiss")}
        onClick={() => room.dismiss(props.toast.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
