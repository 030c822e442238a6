// The bar under the top bar: shown while the daemon is not there, and for a moment when it is back.
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import { useRoom } from "../../state/room";
import { type ConnectionReport, describeConnection } from "./connection";
import "./connection_bar.css";
import { t } from "../texts";

const BACK_MS = 4_000;
const TICK_MS = 500;

export function ConnectionBar() {
  const room = useRoom();
  const [nowMs, setNowMs] = createSignal(Date.now());
  const [wasOpen, setWasOpen] = createSignal(false);
  const [isBack, setIsBack] = createSignal(false);
  const why = createMemo<string>((before) => {
    const now = room.connection();
    if (now.state === "open") return "";
    return (now.state === "lost" && now.why) || before;
  }, "");
  const report = createMemo(() =>
    describeConnection(room.connection(), { wasOpen: wasOpen(), why: why() }, nowMs()),
  );
  const shown = (): ConnectionReport | undefined =>
    report() ?? (isBack() ? { tone: "good", text: t("back"), count: "", canRetry: false } : undefined);

  createEffect(
    on(
      () => room.connection().state,
      (state, _, wasLost: boolean | undefined) => {
        if (state !== "open") {
          setIsBack(false);
          return wasLost || (wasOpen() && state !== "silent");
        }
        setWasOpen(true);
        setIsBack(wasLost ?? false);
        const timer = setTimeout(() => setIsBack(false), BACK_MS);
        onCleanup(() => clearTimeout(timer));
        return false;
      },
    ),
  );
  createEffect(() => {
    if (room.connection().state !== "lost") return;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    onCleanup(() => clearInterval(timer));
  });

  return (
    <div class="frame-connection-slot">
      <div class={`frame-connection frame-connection-${shown()?.tone ?? "none"}`}>
        <span role="status">{shown()?.text ?? ""}</span>
        <Show when={shown()?.count}>
          <span aria-hidden="true">{shown()?.count}</span>
        </Show>
        <Show when={shown()?.tone === "bad" && room.host.nextStep?.()}>
          {(step) => (
            <button type="button" class="primary" onClick={() => step().act()}>
              {step().label}
            </button>
          )}
        </Show>
        <Show when={shown()?.canRetry}>
          <button type="button" onClick={() => room.retryNow()}>
            {t("retry")}
          </button>
        </Show>
      </div>
    </div>
  );
}
