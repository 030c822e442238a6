// A session that works: what it does right now, for how long, and a stop.
import { createEffect, createMemo, type JSX, Show } from "solid-js";
import { createClock } from "../frame/clock";
import { Counts } from "../frame/counts";
import { type Doing, findDoing, lastBlocks, sayDoing } from "../frame/session/doing";
import { isAway } from "../frame/status/connection";
import { sayClock } from "../frame/time";
import { Icon } from "../icons/icon";
import type { Card } from "../model.gen";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { CardHead } from "./card_head";
import { t } from "./texts";

export function Working(props: { card: Card }): JSX.Element {
  const room = useRoom();
  const now = createClock();
  const isOut = () => isAway(room.connection());
  createEffect(() => room.follow(props.card.session_id));
  const mirror = () => room.mirror(props.card.session_id);
  const doing = createMemo<Doing>(() => {
    const live = mirror();
    return live ? findDoing(live.head(), lastBlocks(live)) : { kind: "working" };
  });
  const since = () => mirror()?.head().runs?.at(-1)?.started_at_ms ?? props.card.run_at_ms ?? undefined;
  const stop = () => void room.attempt("session.interrupt", { session_id: props.card.session_id });
  return (
    <div class="home-card">
      <CardHead card={props.card} when={isOut() ? "" : sayClock(since(), now())} />
      <div class="home-sub">
        <span class="home-doing">{sayDoing(doing())}</span>
        <Changed change={props.card} />
        <span class="home-gap" />
        <Show when={mayAct(room.access())}>
          <button type="button" class="plain small" disabled={isOut()} onClick={stop}>
            <Icon name="stop" /> {t("stop")}
          </button>
        </Show>
      </div>
    </div>
  );
}

export function Changed(props: {
  change: Pick<Card, "files" | "additions" | "deletions"> | undefined;
}): JSX.Element {
  return (
    <Show when={props.change?.files}>
      {(files) => (
        <span class="home-changed">
          {files() === 1 ? t("files_one") : t("files", { count: files() })}{" "}
          <Counts additions={props.change?.additions ?? 0} deletions={props.change?.deletions ?? 0} />
        </span>
      )}
    </Show>
  );
}
