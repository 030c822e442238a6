// The line under the composer: what the agent does, what waits, its account and its limits.
import { createMemo, createSignal, For, Show } from "solid-js";
import { language } from "../../i18n/texts";
import { Icon } from "../../icons/icon";
import type { Limit } from "../../model.gen";
import { type Mirror, useRoom } from "../../state/room";
import { isViewed } from "../../state/sessions/viewed";
import { visible } from "../../text/visible";
import { type Doing, findDoing, findTheirDoing, isEnding, lastBlocks, sayDoing } from "../session/doing";
import { StatusDot } from "../session/status_dot";
import { BridgePart } from "./bridge_part";
import { isAway } from "./connection";
import { Meter } from "./meter";
import { isDebug, NoticesDialog } from "./notices";
import { t } from "./status_texts";
import "./statusline.css";
import { fullTime, relativeTime, slowNow } from "../time";
import { limitName } from "./usage";

export function StatusLine(props: { mirror: Mirror }) {
  const room = useRoom();
  const [reading, setReading] = createSignal(false);
  const head = () => props.mirror.head();
  const agent = () => room.agent(head());
  const notices = () => agent()?.notices ?? [];
  const count = () => notices().filter((one) => !isDebug(one)).length;
  return (
    <section class="frame-status" aria-label={t("status")}>
      <DoingNow mirror={props.mirror} />
      <span class="frame-status-gap" />
      <BridgePart />
      <For each={agent()?.limits ?? []}>{(limit) => <LimitMeter limit={limit} />}</For>
      <Show when={agent()?.account}>
        {(account) => (
          <span class="frame-status-part" title={t("account")}>
            {visible([account(), agent()?.plan].filter(Boolean).join(" · "))}
          </span>
        )}
      </Show>
      <Show when={notices().length > 0}>
        <button
          type="button"
          class="plain frame-status-notices"
          title={t("notices")}
          onClick={() => setReading(true)}
        >
          <Icon name="info" />
          <span>{count() > 0 ? t("noticesCount", { n: count() }) : t("notices")}</span>
        </button>
      </Show>
      <Show when={reading()}>
        <NoticesDialog notices={notices()} onClose={() => setReading(false)} />
      </Show>
    </section>
  );
}

function DoingNow(props: { mirror: Mirror }) {
  const head = () => props.mirror.head();
  const room = useRoom();
  // What was going on when the connection was lost may be over since.
  const isLost = () => isAway(room.connection());
  const find = () => (isViewed(props.mirror.id) ? findTheirDoing : findDoing);
  const now = (): Doing => (isLost() ? { kind: "unknown" } : find()(head(), lastBlocks(props.mirror)));
  const doing = createMemo<Doing>(now, IDLE, {
    equals: (a, b) => a.kind === b.kind && sayDoing(a) === sayDoing(b),
  });
  const shownStatus = () => {
    if (doing().kind === "unknown" || doing().kind === "ended") return "unknown"; // without a dot
    return doing().kind === "waiting" ? "waiting_user" : (head().status ?? "unknown");
  };
  const outcome = () => {
    const { kind } = doing();
    return isEnding(kind) ? kind : undefined;
  };
  const queued = () => head().queue?.length ?? 0;
  return (
    <>
      <span class="frame-status-part frame-status-doing">
        <StatusDot status={shownStatus()} outcome={outcome()} />
        <span class="frame-status-what" title={sayDoing(doing())}>
          {sayDoing(doing())}
        </span>
      </span>
      <Show when={queued() > 0}>
        <span class="frame-status-part">{t(head().queue_held ? "held" : "queued", { n: queued() })}</span>
      </Show>
      {/* said aloud when the kind changes, not at every command */}
      <span class="unseen" role="status">
        {doing().kind === "waiting" || isEnding(doing().kind) ? sayDoing(doing()) : ""}
      </span>
    </>
  );
}

const IDLE: Doing = { kind: "idle" };

function LimitMeter(props: { limit: Limit }) {
  const used = () => Math.round(props.limit.used_percent);
  const name = () => limitName(props.limit);
  const resetMs = () => (props.limit.resets_at_s ?? 0) * 1000;
  const soon = () => t("resets", { when: relativeTime(resetMs(), slowNow(), language()) });
  const long = () => t("limitFull", { name: name(), used: used() });
  return (
    <span
      class="frame-status-part"
      title={resetMs() ? `${long()}, ${t("resets", { when: fullTime(resetMs(), language()) })}` : long()}
    >
      <span>{t("limit", { name: name(), used: used() })}</span>
      <Meter percent={used()} label={long()} />
      <Show when={resetMs() > 0}>
        <span class="frame-status-reset">{soon()}</span>
      </Show>
    </span>
  );
}
