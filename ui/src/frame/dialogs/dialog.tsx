// A modal dialog: focus stays inside, Escape closes, and where the focus was it returns to.
import { createSignal, createUniqueId, type JSX, onCleanup, onMount, Show } from "solid-js";
import "./dialog.css";
import { Icon } from "../../icons/icon";
import { t } from "../texts";
import { countAsOpen } from "./open_dialogs";

export interface DialogProps {
  title: string;
  onClose: () => void;
  /// Its title is only read aloud: what is inside begins at the edge, and a click beside it closes.
  bare?: boolean;
  /// Nearly as large as the window.
  wide?: boolean;
  /// Only to be read: its body can be scrolled with the keyboard.
  reading?: boolean;
  /// Beside the title.
  tools?: JSX.Element;
  /// The row of buttons at the end.
  footer?: JSX.Element;
  children: JSX.Element;
}

export function Dialog(props: DialogProps) {
  const title = createUniqueId();
  let element!: HTMLDialogElement;
  const before = document.activeElement;
  let going = false;
  let pressedBeside = false; // and not a selection that was drawn to there
  const close = () => {
    if (!going) props.onClose();
  };
  countAsOpen(() => element);
  onMount(() => {
    if (!element.open) element.showModal();
    element.querySelector<HTMLElement>("[autofocus]")?.focus();
  });
  onCleanup(() => {
    going = true;
    element.close();
    // The browser gives the focus back only while the element is in the page.
    queueMicrotask(() => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    });
  });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={element}
      class="frame-dialog"
      classList={{ "frame-dialog-wide": props.wide, "frame-dialog-bare": props.bare }}
      aria-labelledby={props.bare ? undefined : title}
      aria-label={props.bare ? props.title : undefined}
      onPointerDown={(event) => {
        pressedBeside = event.target === element;
      }}
      onClick={(event) => {
        if (props.bare && pressedBeside && event.target === element) close();
      }}
      onCancel={(event) => {
        if (event.target !== element) return; // a file picker inside
        event.preventDefault();
        close();
      }}
      onClose={close}
    >
      <Show when={!props.bare}>
        <header class="frame-dialog-head">
          <h2 id={title}>{props.title}</h2>
          {props.tools}
          <button type="button" class="plain icon" aria-label={t("close")} title={t("close")} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
      </Show>
      <div class="frame-dialog-body" tabindex={props.reading ? 0 : undefined}>
        {props.children}
      </div>
      <Show when={props.footer}>
        <footer class="frame-dialog-foot">{props.footer}</footer>
      </Show>
    </dialog>
  );
}

export interface PromptProps {
  title: string;
  label: string;
  value?: string;
  okLabel?: string;
  maxLength?: number;
  /// The text, or undefined when the person thought better of it.
  onDone: (text: string | undefined) => void;
}

const MAX_PROMPT = 1000; // characters, where the caller names no other

export function PromptDialog(props: PromptProps) {
  const [text, setText] = createSignal(props.value ?? "");
  const form = createUniqueId();
  let input!: HTMLInputElement;
  onMount(() => input.select());
  return (
    <Dialog
      title={props.title}
      onClose={() => props.onDone(undefined)}
      footer={
        <>
          <button type="button" onClick={() => props.onDone(undefined)}>
            {t("cancel")}
          </button>
          <button type="submit" form={form} class="primary">
            {props.okLabel ?? t("ok")}
          </button>
        </>
      }
    >
      <form
        id={form}
        class="frame-prompt"
        onSubmit={(event) => {
          event.preventDefault();
          props.onDone(text());
        }}
      >
        <label>
          <span>{props.label}</span>
          <input
            ref={input}
            type="text"
            autofocus
            autocomplete="off"
            maxLength={props.maxLength ?? MAX_PROMPT}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      </form>
    </Dialog>
  );
}
