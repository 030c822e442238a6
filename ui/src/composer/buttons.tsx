// The buttons under the input: attach; send, or while a run goes on queue, steer and stop.
import { Show } from "solid-js";
import { Icon } from "../icons/icon";
import type { How } from "./sending/prompt";
import { t } from "./texts";

export function AttachButton(props: { onFiles: (files: File[]) => void }) {
  let picker!: HTMLInputElement;
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("attach")}
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = ""; // the same file may be picked again
        }}
      />
      <button type="button" class="plain" title={t("attachTitle")} onClick={() => picker.click()}>
        <Icon name="attach" /> <span class="composer-word">{t("attach")}</span>
      </button>
    </>
  );
}

export interface SendButtonsProps {
  busy: boolean;
  isAway: boolean; // nothing reaches the daemon
  steers: boolean; // the agent takes words into a run
  nothing: boolean; // to send
  onSend: (how: How) => void;
  onStop: () => void;
}

export function SendButtons(props: SendButtonsProps) {
  return (
    <>
      <Show when={props.busy}>
        <button
          type="button"
          class="composer-stop"
          disabled={props.isAway}
          title={t("stopTitle")}
          onClick={props.onStop}
        >
          {t("stop")}
        </button>
        <Show when={props.steers}>
          <button
            type="button"
            disabled={props.nothing}
            title={t("steerTitle")}
            onClick={() => props.onSend("steer")}
          >
            {t("steer")}
          </button>
        </Show>
      </Show>
      <button
        type="button"
        class="primary"
        disabled={props.nothing}
        title={t(props.busy ? "queueTitle" : "sendTitle")}
        onClick={() => props.onSend("queue")}
      >
        {t(props.busy ? "queueIt" : "send")}
      </button>
    </>
  );
}
