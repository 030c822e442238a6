// The dock of terminals: tabs, splits, and a bar of what can be done. Loaded with xterm when it is first shown.
import {
  type Accessor,
  createEffect,
  createMemo,
  createSignal,
  For,
  Index,
  type JSX,
  onCleanup,
  Show,
  untrack,
} from "solid-js";
import { type Room, useRoom } from "../../state/room";
import { shownSession } from "../../state/sessions/viewed";
import { PaneView, type PaneViewProps } from "../pane";
import { createPaneStore, type PaneStore } from "../store";
import { t } from "../texts";
import { Divider } from "./divider";
import { DockBar } from "./dock_bar";
import { paneWishes, takeWishes } from "./dock_state";
import {
  addTab,
  listPanes,
  type PaneLayout,
  type PanePlace,
  parseLayout,
  placeTree,
  removePane,
  type SplitDirection,
  settle,
  shareSplit,
  splitPane,
  tabOf,
  unsplit,
} from "./layout";
import "../panes.css";

const LAYOUT = "panes.layout";
const HEIGHT = "panes.height";
const MAXIMIZED = "panes.maximized";
const USUAL_HEIGHT = 0.4; // of the window

export default function PanesView(props: { onHide: () => void }): JSX.Element {
  const room = useRoom();
  const store = createPaneStore(room, createVisible());
  const { layout, keep, open } = createDockLayout(room, store);
  const [finding, setFinding] = createSignal("");
  const [share, setShare] = createSignal(readShare(room.wish(HEIGHT)));
  const isMaximized = () => room.wish(MAXIMIZED) === "yes";
  let dock!: HTMLElement;
  let area!: HTMLDivElement;
  const ids = createMemo(() =>
    layout()
      .tabs.flatMap(listPanes)
      .filter((id) => store.find(id)),
  );
  const isNarrow = watchNarrow();
  const seen = createMemo(() => (isNarrow() ? unsplit(layout()) : layout()));
  const shown = createMemo(() => {
    const tab = tabOf(seen(), seen().active) ?? seen().tabs[0];
    return tab ? placeTree(tab) : undefined;
  });
  const close = (id: string) => {
    keep(removePane(layout(), id));
    store.close(id);
  };
  const activate = (id: string) => {
    keep({ ...layout(), active: id });
    area.querySelector<HTMLElement>(`[data-pane="${CSS.escape(id)}"] textarea`)?.focus(); // also of the active one
  };
  const leave = () => dock.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  return (
    <section
      ref={dock}
      class="panes-dock"
      classList={{ "panes-whole": isMaximized() }}
      style={{ "--panes-share": String(share()) }}
      aria-label={t("terminals")}
    >
      <Show when={!isMaximized()}>
        <Divider
          label={t("height")}
          way="column"
          share={1 - share()}
          box={() => (dock.parentElement ?? dock).getBoundingClientRect()}
          onShare={(above) => {
            setShare(readShare(String(1 - above)));
            room.setWish(HEIGHT, String(share()));
          }}
        />
      </Show>
      <DockBar
        store={store}
        layout={seen()}
        isMaximized={isMaximized()}
        onActive={activate}
        onOpen={(way) => void open(way)}
        onFind={() => setFinding(layout().active)}
        onClose={close}
        onMaximize={() => room.setWish(MAXIMIZED, isMaximized() ? "" : "yes")}
        onHide={props.onHide}
      />
      <div ref={area} class="panes-area">
        <For each={ids()}>
          {(id) => (
            <Show when={store.find(id)}>
              {(pane) => (
                <PlacedPane
                  pane={pane()}
                  store={store}
                  place={shown()?.panes.get(id)}
                  isActive={layout().active === id}
                  isFinding={finding() === id}
                  onActive={() => layout().active !== id && keep({ ...layout(), active: id })}
                  onFind={(isFinding) => setFinding(isFinding ? id : "")}
                  onLeave={leave}
                />
              )}
            </Show>
          )}
        </For>
        <Index each={shown()?.splits ?? []}>
          {(split) => (
            <SplitLine
              split={split()}
              area={() => area.getBoundingClientRect()}
              onShare={(share) => keep(shareSplit(layout(), split().tree, share))}
            />
          )}
        </Index>
        <Show when={store.listed() && ids().length === 0}>
          <NoPanes isAvailable={store.isAvailable()} onOpen={() => void open()} />
        </Show>
      </div>
    </section>
  );
}

/// As panes.css has it: the dock takes the whole window, and a split would leave too little to each.
function watchNarrow(): Accessor<boolean> {
  const media = window.matchMedia("(max-width: 640px)");
  const [isNarrow, setNarrow] = createSignal(media.matches);
  const update = () => setNarrow(media.matches);
  media.addEventListener("change", update);
  onCleanup(() => media.removeEventListener("change", update));
  return isNarrow;
}

/// The tabs and splits, as they were left; what is opened and what ends changes them.
function createDockLayout(room: Room, store: PaneStore) {
  const [layout, setLayout] = createSignal(parseLayout(room.wish(LAYOUT)));
  const keep = (next: PaneLayout) => {
    setLayout(next);
    room.setWish(LAYOUT, JSON.stringify(next));
  };
  const open = async (way?: SplitDirection, params: { cwd?: string; run?: string } = {}) => {
    const at = layout().active;
    const cwd = params.cwd ?? store.find(at)?.cwd ?? shownSession(room)?.workspace ?? room.workspace();
    const pane = await store.open({ ...params, cwd });
    if (pane) keep(way ? splitPane(layout(), at, way, pane.pane_id) : addTab(layout(), pane.pane_id));
  };
  let isFirst = true;
  createEffect(() => {
    if (!store.listed()) return;
    const present = store.panes().map((pane) => pane.pane_id);
    const wishes = paneWishes();
    untrack(() => {
      const settled = settle(layout(), present);
      if (settled !== layout()) keep(settled);
      for (const wish of wishes.length > 0 ? takeWishes() : []) {
        if (wish.kind === "open") void open(undefined, wish.params);
        else if (tabOf(layout(), wish.pane)) keep({ ...layout(), active: wish.pane });
      }
      // Who asks for a terminal wants one.
      if (isFirst && wishes.length === 0 && present.length === 0 && store.isAvailable()) void open();
      isFirst = false;
    });
  });
  return { layout, keep, open };
}

/// A pane where the layout has it; one of another tab stays as it is, unseen.
function PlacedPane(props: PaneViewProps & { place: PanePlace | undefined }): JSX.Element {
  return (
    <div class="panes-place" classList={{ "panes-behind": !props.place }} style={sayPlace(props.place)}>
      <PaneView {...props} />
    </div>
  );
}

interface SplitLineProps {
  split: Split;
  area: () => DOMRect;
  onShare: (share: number) => void;
}

function SplitLine(props: SplitLineProps): JSX.Element {
  return (
    <div
      class="panes-split"
      classList={{ "panes-split-row": props.split.tree.way === "row" }}
      style={sayLine(props.split)}
    >
      <Divider
        label={t("share")}
        way={props.split.tree.way}
        share={props.split.tree.share}
        box={() => boxOf(props.split.place, props.area())}
        onShare={props.onShare}
      />
    </div>
  );
}

function NoPanes(props: { isAvailable: boolean; onOpen: () => void }): JSX.Element {
  return (
    <p class="panes-none">
      <Show when={props.isAvailable} fallback={t("unavailable")}>
        {t("none")} {t("noneHow")}{" "}
        <button type="button" onClick={() => props.onOpen()}>
          {t("newTab")}
        </button>
      </Show>
    </p>
  );
}

type Split = NonNullable<ReturnType<typeof placeTree>["splits"][number]>;

function createVisible(): () => boolean {
  const [isVisible, setVisible] = createSignal(!document.hidden);
  const look = () => setVisible(!document.hidden);
  document.addEventListener("visibilitychange", look);
  onCleanup(() => document.removeEventListener("visibilitychange", look));
  return isVisible;
}

function readShare(text: string | undefined): number {
  const share = Number(text || USUAL_HEIGHT);
  return Number.isFinite(share) ? Math.min(Math.max(share, 0.15), 0.85) : USUAL_HEIGHT;
}

function sayPlace(place: PanePlace | undefined): JSX.CSSProperties {
  const at = place ?? { left: 0, top: 0, width: 1, height: 1 };
  return {
    left: `${at.left * 100}%`,
    top: `${at.top * 100}%`,
    width: `${at.width * 100}%`,
    height: `${at.height * 100}%`,
  };
}

function sayLine({ tree, place }: Split): JSX.CSSProperties {
  if (tree.way === "row")
    return {
      left: `${(place.left + place.width * tree.share) * 100}%`,
      top: `${place.top * 100}%`,
      height: `${place.height * 100}%`,
    };
  return {
    left: `${place.left * 100}%`,
    top: `${(place.top + place.height * tree.share) * 100}%`,
    width: `${place.width * 100}%`,
  };
}

/// A split's own box on the screen.
function boxOf(place: PanePlace, area: DOMRect): Pick<DOMRect, "left" | "top" | "width" | "height"> {
  return {
    left: area.left + place.left * area.width,
    top: area.top + place.top * area.height,
    width: place.width * area.width,
    height: place.height * area.height,
  };
}
