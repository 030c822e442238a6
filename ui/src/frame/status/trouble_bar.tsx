// Under the top bar: what is wrong with the daemon itself, until it is well again.
import { For } from "solid-js";
import type { DaemonNotice } from "../../model.gen";
import { useRoom } from "../../state/room";
import { visible } from "../../text/visible";
import "./trouble_bar.css";
import { t } from "./trouble_texts";

export function TroubleBar() {
  const room = useRoom();
  return (
    <div class="frame-troubles">
      <For each={room.troubles()}>{(notice) => <p role="alert">{tellTrouble(notice)}</p>}</For>
    </div>
  );
}

export function tellTrouble(notice: DaemonNotice): string {
  return t(notice.kind, { detail: visible(notice.detail ?? "") });
}
