// The head of the sidebar: how many sessions there are, what the list shows, and the way home.
import { Show } from "solid-js";
import { Icon } from "../../icons/icon";
import { mayManage } from "../../state/access";
import { useRoom } from "../../state/room";
import { MENU_LINE, MenuButton, type MenuItem } from "../menu";
import { t } from "../session_texts";
import { t as common } from "../texts";

interface HeadProps {
  isDrawer: boolean;
  showsArchived: boolean;
  onArchived: (shown: boolean) => void;
  onChosen: () => void;
  onClose: () => void;
}

export function SidebarHead(props: HeadProps) {
  const room = useRoom();
  const goHome = () => {
    room.activate("");
    props.onChosen();
  };
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
      <button
        type="button"
        class="plain icon"
        aria-label={t("firstPage")}
        aria-current={room.active() ? undefined : "page"}
        title={t("firstPage")}
        onClick={goHome}
      >
        <Icon name="home" />
      </button>
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
  );
}
