// The button that asks for permission to send notifications; gone once that is settled.
import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { Icon } from "../../icons/icon";
import { useRoom } from "../../state/room";
import { t } from "../session_texts";

export function NotifyButton() {
  const room = useRoom();
  const [may, setMay] = createSignal(room.host.mayNotify());
  const look = () => setMay(room.host.mayNotify());
  createEffect(on(room.overlay, look)); // settled in the settings
  onCleanup(room.host.onLookedAt(look)); // or in the browser's own
  const ask = async () => {
    const granted = await room.host.askToNotify();
    look();
    room.toast(granted ? "info" : "warn", t(granted ? "notifyOn" : "notifyDenied"));
  };
  return (
    <Show when={may() === "ask"}>
      <button type="button" class="plain frame-side-notify" onClick={() => void ask()}>
        <Icon name="bell" />
        <span>{t("allowNotify")}</span>
      </button>
    </Show>
  );
}
