// The top bar: the session's title, what can be begun or opened, and the tabs.
import { type JSX, lazy, Show, Suspense } from "solid-js";
import { Icon } from "../icons/icon";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { shownSession } from "../state/sessions/viewed";
import { visible } from "../text/visible";
import { MenuButton } from "./menus/menu";
import { hasLatestDiff, openLatestDiff } from "./session/latest_diff";
import { makeSessionMenu } from "./session/session_menu";
import { t } from "./session_texts";
import "./topbar.css";

/// After the list: one open session needs none.
const Tabs = lazy(async () => ({ default: (await import("./tabs")).Tabs }));

export interface TopBarProps {
  /// The button of the inbox.
  inbox?: JSX.Element;
  onNew: () => void;
  sidebarOpen: boolean;
  onSidebar: () => void;
}

export function TopBar(props: TopBarProps) {
  const room = useRoom();
  const menu = makeSessionMenu();
  const card = () => room.card(room.active());
  const title = () => visible(shownSession(room)?.name ?? "") || t("noSession");
  return (
    <header class="frame-top">
      <div class="frame-top-row">
        <BarButton
          icon="sidebar"
          label={t(props.sidebarOpen ? "hideSidebar" : "showSidebar")}
          expanded={props.sidebarOpen}
          onClick={props.onSidebar}
        />
        <h1 class="frame-title" title={visible(card()?.title ?? "") || title()}>
          {title()}
        </h1>
        <Show when={room.tabs().length > 1}>
          <Suspense>
            <Tabs menu={menu} />
          </Suspense>
        </Show>
        <Show when={card()}>
          {(shown) => (
            <MenuButton
              label={t("sessionMenu", { title: title() })}
              items={() => menu.items(shown().session_id)}
            >
              <Icon name="more" />
            </MenuButton>
          )}
        </Show>
        <span class="frame-top-gap" />
        <Show when={mayAct(room.access())}>
          <button type="button" class="frame-top-button" title={t("newTitle")} onClick={() => props.onNew()}>
            <Icon name="plus" />
            <span>{t("new")}</span>
          </button>
        </Show>
        <DiffButton />
        {props.inbox}
        <BarButton icon="gear" label={t("settings")} onClick={() => room.show({ kind: "settings" })} />
        <Show when={room.host.kind === "browser"}>
          <BarButton icon="help" label={t("help")} onClick={() => room.show({ kind: "help" })} />
        </Show>
      </div>
      {menu.outlet()}
    </header>
  );
}

function BarButton(props: {
  icon: "sidebar" | "gear" | "help";
  label: string;
  expanded?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="plain icon"
      classList={{ "frame-top-far": props.icon === "help" }}
      aria-label={props.label}
      aria-expanded={props.expanded}
      title={props.label}
      onClick={() => props.onClick()}
    >
      <Icon name={props.icon} />
    </button>
  );
}

function DiffButton() {
  const room = useRoom();
  return (
    <button
      type="button"
      class="frame-top-button frame-top-diff"
      disabled={!hasLatestDiff(room)}
      title={t(hasLatestDiff(room) ? "openDiff" : "noDiff")}
      onClick={() => openLatestDiff(room)}
    >
      <Icon name="diff" />
      <span>{t("openDiff")}</span>
    </button>
  );
}
