// The input that grows with its text, with the popup over it; a key means what the moment makes of it.
import { createEffect, createUniqueId, on, Show } from "solid-js";
import { never } from "../../never";
import { pastedFiles } from "../context/attach";
import type { How } from "../sending/prompt";
import { optionId, Popup } from "../suggestions/popup";
import { t } from "../texts";
import { INPUT_ID } from "./focus";
import { meaningOf } from "./keys";
import type { PromptTyping } from "./typing";

const MAX_COPIED = 20_000; // characters that make the input grow: more than the highest input shows

interface InputFieldProps {
  session: string;
  text: string;
  typing: PromptTyping;
  isBusy: boolean;
  steers: boolean;
  input: HTMLTextAreaElement | undefined;
  onInput: (input: HTMLTextAreaElement) => void;
  onSend: (how: How) => void;
  onStop: () => void;
  onFiles: (files: readonly File[]) => void;
}

export function InputField(props: InputFieldProps) {
  const popupId = createUniqueId();
  const typing = () => props.typing;

  // Another tab, a draft that was given back: the input follows. What is being composed is left alone.
  createEffect(
    on([() => props.session, () => props.text, () => props.input], ([, text, field]) => {
      if (field && field.value !== text) field.value = text;
    }),
  );

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
    const { selectionStart: start, selectionEnd: end } = event.currentTarget;
    const around = {
      popup: typing().popup(),
      busy: props.isBusy,
      steers: props.steers,
      caret: { start, end },
    };
    if (!carryOut(meaningOf(event, around), props)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPaste(event: ClipboardEvent): void {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    props.onFiles(files);
  }

  return (
    <div class="composer-field">
      <Show when={typing().popup()}>
        <Popup
          id={popupId}
          list={typing().suggestions.list()}
          chosen={typing().chosen()}
          truncated={typing().suggestions.truncated()}
          onChoose={typing().choose}
          onPoint={typing().point}
        />
      </Show>
      <div class="composer-grow" data-text={props.text.slice(0, MAX_COPIED)}>
        <textarea
          ref={props.onInput}
          id={INPUT_ID}
          class="composer-input"
          rows={1}
          autocomplete="off"
          placeholder={t("placeholder")}
          aria-label={t("prompt")}
          aria-autocomplete="list"
          aria-controls={typing().popup() ? popupId : undefined}
          aria-activedescendant={typing().popup() ? optionId(popupId, typing().chosen()) : undefined}
          onInput={typing().onInput}
          onKeyDown={onKeyDown}
          onKeyUp={typing().onCaret}
          onSelect={typing().onCaret}
          onClick={typing().onCaret}
          onPaste={onPaste}
          onFocus={() => {
            typing().onFocus(true);
            typing().onCaret();
          }}
          onBlur={() => typing().onFocus(false)}
        />
      </div>
    </div>
  );
}

/// False where the key is left to the input.
function carryOut(meaning: ReturnType<typeof meaningOf>, props: InputFieldProps): boolean {
  const { typing } = props;
  switch (meaning.do) {
    case "nothing":
      return false;
    case "walk":
      return typing.walk(meaning.by);
    case "send":
      props.onSend("queue");
      return true;
    case "steer":
      props.onSend("steer");
      return true;
    case "interrupt":
      props.onStop();
      return true;
    case "choose":
      typing.choose(typing.chosen());
      return true;
    case "point":
      typing.point(typing.chosen() + meaning.by);
      return true;
    case "closePopup":
      typing.closePopup();
      return true;
    default:
      return never(meaning);
  }
}
