// The sessions that were opened here, in a row that scrolls without a bar; a menu has them all when they do not fit.
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { Icon } from "../icons/icon";
import { type Tab, useRoom } from "../state/room";
import { visible } from "../text/visible";
import { Menu, type Point } from "./menus/menu";
import { stepTo } from "./menus/menu_keys";
import { menuOpeners } from "./menus/menu_openers";
import { PANEL } from "./names";
import type { SessionMenu } from "./session/session_menu";
import { SessionName } from "./session/session_name";
import { StatusDot } from "./session/status_dot";
import { t } from "./session_texts";

const FADE = 32; // pixels in which the row fades where more follow

const STEPS: Record<string, string> = {
  ArrowRight: "ArrowDown",
  ArrowLeft: "ArrowUp",
  Home: "Home",
  End: "End",
};

export function Tabs(props: { menu: SessionMenu }) {
  const room = useRoom();
  const [walked, setWalked] = createSignal<string>(); // where the arrows are
  let row!: HTMLDivElement;
  // By id: a tab keeps its element, and the focus, when its session changes.
  const ids = createMemo(() => room.tabs().map((tab) => tab.id), [], { equals: isSame });
  const reachable = () =>
    [walked(), room.active(), ids()[0]].find((id) => id !== undefined && ids().includes(id));
  const walk = (event: KeyboardEvent, id: string) => {
    const tabs = room.tabs();
    const to = stepTo(tabs, ids().indexOf(id), STEPS[event.key] ?? "");
    if (to !== undefined) {
      setWalked(tabs[to]?.id);
      row.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
    } else if (event.key === "Delete") {
      room.hide(id);
      row.querySelector<HTMLElement>("[role=tab][tabindex='0']")?.focus(); // the one that took its place
    } else return;
    event.preventDefault();
  };
  let seen: Element | undefined;
  const revealChosen = () => {
    const chosen = row.querySelector(`[data-session="${CSS.escape(room.active())}"]`)?.parentElement;
    if (chosen) reveal(row, chosen);
    if (chosen && chosen !== seen) {
      if (seen) sizes.unobserve(seen);
      sizes.observe(chosen); // its name may grow, and the row stay as it is
      seen = chosen;
    }
  };
  createEffect(
    on([room.active, ids], () => {
      setWalked(undefined);
      look();
    }),
  );
  const [isCut, setCut] = createSignal(false);
  const [hasMore, setMore] = createSignal(false); // to the right of what is in view
  const [hasLess, setLess] = createSignal(false); // to the left of it
  const measure = () => {
    setCut(row.scrollWidth > row.clientWidth + 1);
    setMore(row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
    setLess(row.scrollLeft > 1);
  };
  const look = () => {
    revealChosen();
    measure();
  };
  // A narrower window, or a name that has grown, must not push the one that is shown out of sight.
  const sizes = new ResizeObserver(look);
  onMount(() => sizes.observe(row));
  onCleanup(() => sizes.disconnect());
  return (
    <div class="frame-tab-row">
      <div
        ref={row}
        class="frame-tabs"
        role="tablist"
        aria-label={t("tabs")}
        data-more={hasMore() ? "" : undefined}
        data-less={hasLess() ? "" : undefined}
        onScroll={measure}
        onWheel={(event) => {
          if (Math.abs(event.deltaY) > Math.abs(event.deltaX)) row.scrollLeft += event.deltaY;
        }}
      >
        <For each={ids()}>
          {(id) => (
            <OneTab
              id={id}
              tab={room.tabs().find((tab) => tab.id === id)}
              reachable={reachable() === id}
              menu={props.menu}
              onWalk={(event) => walk(event, id)}
            />
          )}
        </For>
      </div>
      <Show when={isCut()}>
        <AllTabs />
      </Show>
    </div>
  );
}

/// A menu of all of them, by their names.
function AllTabs() {
  const room = useRoom();
  const [at, setAt] = createSignal<Point>();
  const items = () =>
    room.tabs().map((tab) => ({
      label: visible(tab.label),
      checked: tab.id === room.active(),
      run: () => room.activate(tab.id),
    }));
  const open = (button: HTMLElement) => {
    const box = button.getBoundingClientRect();
    setAt({ x: box.left, y: box.bottom + 2 });
  };
  return (
    <>
      <button
        type="button"
        class="plain icon frame-tab-all"
        aria-haspopup="menu"
        aria-label={t("allTabs")}
        title={t("allTabs")}
        onClick={(event) => open(event.currentTarget)}
      >
        <Icon name="down" />
      </button>
      <Show when={at()}>
        {(point) => <Menu label={t("tabs")} items={items()} at={point()} onClose={() => setAt(undefined)} />}
      </Show>
    </>
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}

/// Not `scrollIntoView`: from there a browser would go on with the Tab key, past all that comes before.
function reveal(row: HTMLElement, tab: Element): void {
  const [window, box] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (box.left < window.left + FADE) row.scrollLeft -= window.left + FADE - box.left;
  else if (box.right > window.right - FADE) row.scrollLeft += box.right - window.right + FADE;
}

function OneTab(props: {
  id: string;
  tab: Tab | undefined;
  reachable: boolean;
  menu: SessionMenu;
  onWalk: (event: KeyboardEvent) => void;
}) {
  const room = useRoom();
  const chosen = () => room.active() === props.id;
  const asks = () => room.card(props.id)?.asks ?? 0;
  const openers = menuOpeners((at) => props.menu.open(props.id, at));
  const name = () => visible(props.tab?.title ?? "");
  return (
    <div class="frame-tab-box" classList={{ "frame-tab-chosen": chosen() }} role="presentation">
      <button
        type="button"
        role="tab"
        class="frame-tab"
        data-session={props.id}
        aria-selected={chosen()}
        aria-controls={chosen() ? PANEL : undefined}
        tabindex={props.reachable ? 0 : -1}
        title={name()}
        {...openers}
        onKeyDown={(event) => {
          openers.onKeyDown(event);
          if (!event.defaultPrevented) props.onWalk(event);
        }}
        onClick={() => room.activate(props.id)}
        onAuxClick={(event) => {
          if (event.button === 1) room.hide(props.id);
        }}
      >
        <StatusDot status={room.card(props.id)?.status ?? "unknown"} outcome={room.card(props.id)?.outcome} />
        <span class="frame-tab-label">
          <SessionName name={visible(props.tab?.label ?? "")} />
        </span>
        <Show when={asks() > 0}>
          <span class="frame-count" title={t("asks", { n: asks() })}>
            <span aria-hidden="true">{asks()}</span>
            <span class="unseen">{t("asks", { n: asks() })}</span>
          </span>
        </Show>
      </button>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: for the pointer alone; by keyboard it is Delete, and the menu says so */}
      <button
        type="button"
        class="plain frame-tab-close"
        aria-hidden="true"
        tabindex="-1"
        title={t("closeOne", { title: name() })}
        onClick={() => room.hide(props.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
