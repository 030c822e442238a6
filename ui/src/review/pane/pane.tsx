// The pane beside the log: its title and tools, a way back, and an edge that can be dragged.
import { createUniqueId, type JSX, onCleanup, Show } from "solid-js";
import { countAsOpen, topDialog } from "../../frame/dialogs/open_dialogs";
import { Icon } from "../../icons/icon";
import { useRoom } from "../../state/room";
import { t } from "../texts";
import { PaneEdge } from "./pane_edge";
import "./pane.css";

interface PaneProps {
  title: string;
  /// On a phone it covers the log.
  isWhole: boolean;
  tools?: JSX.Element;
  children: JSX.Element;
}

export function Pane(props: PaneProps): JSX.Element {
  const room = useRoom();
  const title = createUniqueId();
  const before = document.activeElement;
  let element!: HTMLElement;
  countAsOpen(() => element); // messages are shown inside, where they cover no control
  onCleanup(() => {
    if (!element.contains(document.activeElement) && document.activeElement !== document.body) return;
    queueMicrotask(() => before instanceof HTMLElement && before.isConnected && before.focus());
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    room.closeBeside();
  };
  // What had the focus may be gone, as after an error: then the key reaches nothing inside. A dialog over the
  // pane takes it first.
  const onLostKey = (event: KeyboardEvent) =>
    document.activeElement === document.body && topDialog() === element && onKeyDown(event);
  document.addEventListener("keydown", onLostKey);
  onCleanup(() => document.removeEventListener("keydown", onLostKey));
  return (
    <section
      ref={element}
      class="review-pane"
      classList={{ "review-pane-whole": props.isWhole }}
      aria-labelledby={title}
      onKeyDown={onKeyDown}
    >
      <Show when={!props.isWhole}>
        <PaneEdge pane={() => element} />
      </Show>
      <header class="review-pane-head">
        <Show when={props.isWhole}>
          <button type="button" class="plain review-back" onClick={room.closeBeside}>
            <Icon name="back" /> {t("back")}
          </button>
        </Show>
        <h2 id={title}>{props.title}</h2>
        <span class="review-space" />
        {props.tools}
        <Show when={!props.isWhole}>
          <button
            type="button"
            class="plain icon"
            aria-label={t("close")}
            title={t("close")}
            onClick={room.closeBeside}
          >
            <Icon name="close" />
          </button>
        </Show>
      </header>
      {props.children}
    </section>
  );
}
