// How long a run takes, what a session has used, and how full its context is.
import { createMemo, Show } from "solid-js";
import { createClock } from "../frame/clock";
import { isAway } from "../frame/status/connection";
import { Meter } from "../frame/status/meter";
import { shortNumber, usedPercent } from "../frame/status/usage";
import { sayClock } from "../frame/time";
import { language } from "../i18n/texts";
import { Icon } from "../icons/icon";
import type { Run, Usage } from "../model.gen";
import { useRoom } from "../state/room";
import { t } from "./texts";

/// Of the run that goes on; at rest, what the last one took.
export function Elapsed(props: { runs: readonly Run[] }) {
  const room = useRoom();
  const last = () => props.runs.at(-1);
  const isRunning = () => (last()?.outcome ?? "running") === "running" && last() !== undefined;
  const isGoing = createMemo(() => isRunning() && !isAway(room.connection()));
  return (
    <Show when={last()?.started_at_ms} keyed>
      {(startedMs) => (
        <Show
          when={isGoing()}
          fallback={
            <Show when={last()?.ended_at_ms}>
              {(endedMs) => <Time time={sayClock(startedMs, endedMs())} name="took" />}
            </Show>
          }
        >
          <Ticking sinceMs={startedMs} />
        </Show>
      )}
    </Show>
  );
}

function Ticking(props: { sinceMs: number }) {
  const now = createClock();
  return <Time time={sayClock(props.sinceMs, now())} name="running" />;
}

function Time(props: { time: string; name: "running" | "took" }) {
  return (
    <span class="header-number header-time" title={t(props.name, { time: props.time })}>
      <Icon name="clock" />
      <span>{props.time}</span>
    </span>
  );
}

export function Tokens(props: { usage: Usage }) {
  const short = (count: number | undefined) => shortNumber(count ?? 0, language());
  const long = () =>
    t("tokensTitle", {
      used: short(props.usage.total),
      input: short(props.usage.input),
      cached: short(props.usage.cached),
      output: short(props.usage.output),
    });
  return (
    <Show when={props.usage.total}>
      <span class="header-number header-tokens" title={long()}>
        {t("tokens", { used: short(props.usage.total) })}
      </span>
    </Show>
  );
}

/// In dollars, as the agent says it.
export function Cost(props: { usage: Usage }) {
  return (
    <Show when={props.usage.cost_usd}>
      {(cost) => (
        <span class="header-number" title={t("costTitle")}>
          {sayCost(cost(), language())}
        </span>
      )}
    </Show>
  );
}

export function sayCost(dollars: number, language: string): string {
  if (dollars < 0.01) return `<${sayCost(0.01, language)}`;
  return new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(dollars);
}

export function ContextUsed(props: { usage: Usage }) {
  const used = () => usedPercent(props.usage);
  const count = () => shortNumber(props.usage.context_used, language());
  const long = () =>
    used() === undefined
      ? t("contextUsed", { used: count() })
      : t("contextFull", {
          used: count(),
          window: shortNumber(props.usage.context_window ?? 0, language()),
          left: 100 - (used() ?? 0),
        });
  return (
    <span class="header-number" title={long()}>
      <Show when={used() !== undefined} fallback={<span>{t("contextUsed", { used: count() })}</span>}>
        <Meter percent={used() ?? 0} label={long()} />
        <span>{t("contextPart", { used: used() ?? 0 })}</span>
      </Show>
    </span>
  );
}
