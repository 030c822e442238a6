// A button with a panel of anything above or below it; Escape or a click elsewhere closes it.
import { createEffect, createSignal, createUniqueId, type JSX, onCleanup, Show } from "solid-js";
import "./panel_button.css";

export interface PanelButtonProps {
  label: JSX.Element;
  name: string; // for a screen reader, of button and panel
  opens: "up" | "down";
  class?: string; // of the button
  onOpen?: () => void;
  children: (close: () => void) => JSX.Element;
}

const FIRST = "input:not(:disabled), button:not(:disabled), [tabindex='0']";

export function PanelButton(props: PanelButtonProps) {
  const [open, setOpen] = createSignal(false);
  const panelId = createUniqueId();
  let button!: HTMLButtonElement;
  let whole!: HTMLDivElement;
  let panel: HTMLDivElement | undefined;

  function close(): void {
    if (!open()) return;
    const had = whole.contains(document.activeElement);
    setOpen(false);
    if (had) button.focus();
  }

  createEffect(() => {
    if (!open()) return;
    panel?.querySelector<HTMLElement>(FIRST)?.focus();
    const elsewhere = (event: PointerEvent) => {
      if (!(event.target instanceof Node && whole.contains(event.target))) close();
    };
    // The focused element may have left the panel; the key must not reach anything else.
    const nowhere = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.target !== document.body) return;
      event.preventDefault();
      event.stopPropagation();
      close();
      button.focus();
    };
    document.addEventListener("pointerdown", elsewhere);
    document.addEventListener("keydown", nowhere, true);
    onCleanup(() => {
      document.removeEventListener("pointerdown", elsewhere);
      document.removeEventListener("keydown", nowhere, true);
    });
  });

  function toggle(): void {
    if (open()) {
      close();
      return;
    }
    props.onOpen?.();
    setOpen(true);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works from any focused element inside
    <div
      ref={whole}
      class="frame-panel-button"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing || !open()) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <button
        ref={button}
        type="button"
        class={props.class ?? "plain"}
        aria-label={props.name}
        title={props.name}
        aria-haspopup="dialog"
        aria-expanded={open()}
        aria-controls={open() ? panelId : undefined}
        onClick={toggle}
      >
        {props.label}
      </button>
      <Show when={open()}>
        <div
          ref={panel}
          id={panelId}
          class="frame-panel"
          classList={{ "frame-panel-down": props.opens === "down" }}
          role="dialog"
          aria-label={props.name}
        >
          {props.children(close)}
        </div>
      </Show>
    </div>
  );
}
