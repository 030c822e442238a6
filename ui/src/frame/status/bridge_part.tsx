// In the status line: the connection to a relay, where one was joined.
import { Show } from "solid-js";
import { language } from "../../i18n/texts";
import { Icon } from "../../icons/icon";
import type { BridgeState } from "../../model.gen";
import { useRoom } from "../../state/room";
import { visible } from "../../text/visible";
import { fullTime } from "../time";
import { t } from "./bridge_texts";

export function BridgePart() {
  const room = useRoom();
  return (
    <Show when={room.bridge()}>
      {(bridge) => (
        <span class="frame-status-part" data-bridge={bridge().status} title={sayBridge(bridge())}>
          <Show when={bridge().status === "waiting"}>
            <Icon name="warning" />
          </Show>
          <span>{t(bridge().status)}</span>
        </span>
      )}
    </Show>
  );
}

/// All that is known: where to, since when, what went wrong last, when it is tried again.
export function sayBridge(bridge: BridgeState): string {
  const at = (ms: number | undefined) => fullTime(ms ?? 0, language());
  const lines = [
    t("to", { relay: visible(bridge.relay), machine: visible(bridge.machine) }),
    t("since", { when: at(bridge.since_ms) }),
  ];
  if (bridge.last_error)
    lines.push(t("lastError", { why: visible(bridge.last_error), when: at(bridge.last_error_ms) }));
  if (bridge.retry_ms) lines.push(t("retry", { when: at(bridge.retry_ms) }));
  return lines.join("\n");
}
