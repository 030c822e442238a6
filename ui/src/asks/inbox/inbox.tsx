// The inbox: how many Asks wait in other sessions, and the way to their cards.
import { createMemo, lazy, Show, Suspense } from "solid-js";
import { PanelButton } from "../../frame/menus/panel_button";
import { Icon } from "../../icons/icon";
import { useRoom } from "../../state/room";
import { t } from "./inbox_texts";
import "./inbox.css";

const InboxPanel = lazy(() => import("./inbox_panel"));

export function Inbox() {
  const room = useRoom();
  const waiting = createMemo(() => room.inbox().filter((one) => one.session_id !== room.active()));
  const name = () => t("inbox", { n: waiting().length });
  return (
    <PanelButton
      opens="down"
      name={name()}
      class="plain asks-inbox-button"
      label={
        <>
          <Icon name="bell" />
          <Show when={waiting().length > 0}>
            <span class="asks-count">{waiting().length}</span>
          </Show>
        </>
      }
    >
      {(close) => (
        <Suspense>
          <InboxPanel onLeave={close} />
        </Suspense>
      )}
    </PanelButton>
  );
}
