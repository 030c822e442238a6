// A menu: at a point or under its button; arrows, Home, End, typing, Enter and Escape.
import { createSignal, For, type JSX, onCleanup, onMount, Show, untrack } from "solid-js";
import { Icon, type IconName } from "../../icons/icon";
import "./menu.css";
import { findTyped, stepTo } from "./menu_keys";

export interface MenuItem {
  label: string;
  /// Where the palette lists it.
  icon?: IconName;
  /// A key that does the same.
  hint?: string;
  disabled?: boolean;
  danger?: boolean;
  /// Shown with a tick when true; undefined is no choice at all.
  checked?: boolean;
  run?: () => void;
  /// Between groups; with a label it says what the ones below it are about.
  line?: boolean;
}

export const MENU_LINE: MenuItem = { label: "", line: true };

export interface Point {
  x: number;
  y: number;
}

const TYPING_MS = 700; // a pause this long begins a new word
const EDGE = 4; // pixels to the window's edge

/// Closes itself after a choice; `onClose` takes it away.
export function Menu(props: { label: string; items: readonly MenuItem[]; at: Point; onClose: () => void }) {
  // As they were when it was opened: a session that changes takes no item away from under the focus.
  const items = untrack(() => props.items);
  let element!: HTMLDivElement;
  const before = document.activeElement;
  const [now, setNow] = createSignal(-1);
  const [place, setPlace] = createSignal(props.at);
  let typed = "";
  let typedAt = 0;

  const stand = (index: number | undefined) => {
    if (index === undefined) return;
    setNow(index);
    element.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  const close = () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    props.onClose();
  };
  const choose = (item: MenuItem | undefined) => {
    if (!item?.run || item.disabled) return;
    close();
    item.run();
  };
  const type = (key: string, atMs: number) => {
    typed = atMs - typedAt > TYPING_MS ? key : typed + key;
    typedAt = atMs;
    stand(findTyped(items, now(), typed));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepTo(items, now(), event.key);
    if (to !== undefined) stand(to);
    else if (event.key === "Escape" || event.key === "Tab") close();
    else if (event.key === "Enter" || event.key === " ") choose(items[now()]);
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      type(event.key, event.timeStamp);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  onMount(() => {
    element.showPopover?.(); // above all, dialogs too
    setPlace(keepInside(props.at, element.getBoundingClientRect()));
    stand(stepTo(items, -1, "ArrowDown"));
  });
  const outside = (event: Event) => {
    if (!(event.target instanceof Node) || !element.contains(event.target)) props.onClose();
  };
  document.addEventListener("pointerdown", outside, true);
  window.addEventListener("resize", props.onClose);
  onCleanup(() => {
    document.removeEventListener("pointerdown", outside, true);
    window.removeEventListener("resize", props.onClose);
  });
  return (
    <div
      ref={element}
      class="frame-menu"
      role="menu"
      tabindex="-1"
      popover="manual"
      aria-label={props.label}
      style={{ left: `${place().x}px`, top: `${place().y}px` }}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      <For each={items}>
        {(item, index) => (
          <Item
            item={item}
            index={index()}
            onPoint={() => now() !== index() && stand(index())}
            onChoose={() => choose(item)}
          />
        )}
      </For>
    </div>
  );
}

interface ItemProps {
  item: MenuItem;
  index: number;
  onPoint: () => void;
  onChoose: () => void;
}

function Item(props: ItemProps) {
  const heading = () => props.item.label && <div class="frame-menu-heading">{props.item.label}</div>;
  return (
    <Show when={!props.item.line} fallback={heading() || <hr />}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role supports it whenever it is there */}
      <button
        type="button"
        role={props.item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
        class="frame-menu-item"
        classList={{ "frame-menu-danger": props.item.danger ?? false }}
        tabindex="-1"
        data-index={props.index}
        aria-disabled={props.item.disabled ? "true" : undefined}
        aria-checked={props.item.checked}
        onPointerMove={props.onPoint}
        onClick={props.onChoose}
      >
        <span class="frame-menu-tick">
          <Show when={props.item.checked}>
            <Icon name="check" />
          </Show>
        </span>
        <span class="frame-menu-label">{props.item.label}</span>
        <Show when={props.item.hint}>
          <span class="frame-menu-hint">{props.item.hint}</span>
        </Show>
      </button>
    </Show>
  );
}

function keepInside(at: Point, box: DOMRect): Point {
  const keep = (start: number, size: number, room: number) =>
    Math.max(EDGE, Math.min(start, room - size - EDGE));
  return { x: keep(at.x, box.width, window.innerWidth), y: keep(at.y, box.height, window.innerHeight) };
}

/// A button with its menu below it.
export function MenuButton(props: {
  label: string;
  items: () => readonly MenuItem[];
  class?: string;
  /// The text inside names the button; the label is for the menu and to hover.
  hasText?: boolean;
  children: JSX.Element;
}) {
  const [at, setAt] = createSignal<Point>();
  let button!: HTMLButtonElement;
  const open = () => {
    const box = button.getBoundingClientRect();
    setAt({ x: box.left, y: box.bottom + 2 });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.class ?? "plain icon"}
        aria-label={props.hasText ? undefined : props.label}
        title={props.label}
        aria-haspopup="menu"
        aria-expanded={at() !== undefined}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open();
        }}
      >
        {props.children}
      </button>
      <Show when={at()} keyed>
        {(point) => (
          <Menu label={props.label} items={props.items()} at={point} onClose={() => setAt(undefined)} />
        )}
      </Show>
    </>
  );
}
