// What is above the list: whose page it is and the way home; how many sessions there are, and what the list shows.
import { createMemo, Show } from "solid-js";
import { Icon } from "../../icons/icon";
import { mayManage } from "../../state/access";
import { useRoom } from "../../state/room";
import { MENU_LINE, MenuButton, type MenuItem } from "../menus/menu";
import { t } from "../session_texts";
import { t as common } from "../texts";

/// An editor says whose view it is.
export function SidebarBrand(props: { isDrawer: boolean; onClose: () => void }) {
  const room = useRoom();
  return (
    <Show when={props.isDrawer || room.host.kind === "browser"}>
      <div class="frame-side-brand">
        <Mark />
        <span class="frame-side-name">Bascule</span>
        <Show when={props.isDrawer}>
          <button
            type="button"
            class="plain icon"
            aria-label={common("close")}
            title={common("close")}
            onClick={() => props.onClose()}
          >
            <Icon name="close" />
          </button>
        </Show>
      </div>
    </Show>
  );
}

/// The lines of icon.svg.
function Mark() {
  return (
    <svg class="frame-side-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M5 23h22M8 23v-5M24 23v-5M8 18 17 9M24 18 19 13" />
    </svg>
  );
}

/// How many sessions wait is said to everybody by the inbox, and shown here besides.
export function SidebarHome(props: { onChosen: () => void }) {
  const room = useRoom();
  const waiting = createMemo(() => room.inbox().length);
  const goHome = () => {
    room.activate("");
    props.onChosen();
  };
  return (
    <button
      type="button"
      class="plain frame-side-home"
      aria-current={room.active() ? undefined : "page"}
      onClick={goHome}
    >
      <Icon name="home" />
      <span>{t("firstPage")}</span>
      <Show when={waiting() > 0}>
        <span class="frame-count" aria-hidden="true">
          {waiting()}
        </span>
      </Show>
    </button>
  );
}

interface HeadProps {
  showsArchived: boolean;
  onArchived: (shown: boolean) => void;
}

export function SidebarHead(props: HeadProps) {
  const room = useRoom();
  const items = (): readonly MenuItem[] => [
    {
      label: t("showArchived", { n: room.cards().filter((card) => card.place === "archived").length }),
      checked: props.showsArchived,
      run: () => props.onArchived(!props.showsArchived),
    },
    { label: t("showDeleted"), run: () => room.show({ kind: "deleted" }) },
    MENU_LINE,
    {
      label: t("openFolder"),
      disabled: !mayManage(room.access()),
      run: () => room.show({ kind: "folders" }),
    },
  ];
  return (
    <div class="frame-side-head">
      <h2>{t("sessions")}</h2>
      <span class="frame-side-count">{t("count", { n: room.cards().length })}</span>
      <MenuButton label={t("listMenu")} items={items}>
        <Icon name="more" />
      </MenuButton>
    </div>
  );
}
