// A session that has ended since the person last looked: how, and what it changed.
import { createEffect, createSignal, type JSX, Show } from "solid-js";
import { sayDuration } from "../blocks/duration";
import { findLastPrompt, retryRun } from "../blocks/runs/run_acts";
import { sayText } from "../blocks/said_block";
import { createRunChange } from "../frame/session/run_changes";
import { sayStatus } from "../frame/session/status_dot";
import { fullTime, relativeTime, slowNow } from "../frame/time";
import { language } from "../i18n/texts";
import { Icon } from "../icons/icon";
import type { Card } from "../model.gen";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { visible } from "../text/visible";
import { CardHead } from "./card_head";
import { t } from "./texts";
import { Changed } from "./working";

export function Ended(props: { card: Card }): JSX.Element {
  const room = useRoom();
  const atMs = () => props.card.updated_at_ms ?? 0;
  /// The card knows what the agent's own edits changed; what its commands did is in the review.
  const reviewed = createRunChange(room, () =>
    props.card.files ? undefined : { session: props.card.session_id, run: "", version: atMs() },
  );
  const change = () => (props.card.files ? props.card : reviewed());
  const outcome = () => props.card.outcome || "completed";
  const why = () => (outcome() === "failed" ? sayText(props.card.said, props.card.why ?? "") : "");
  const tookMs = () => (props.card.run_ended_at_ms ?? 0) - (props.card.run_at_ms ?? 0);
  const isTimed = () => Boolean(props.card.run_ended_at_ms && props.card.run_at_ms) && tookMs() >= 0;
  const review = () => room.show({ kind: "review", session: props.card.session_id, run: "" });
  return (
    <div class="home-card">
      <CardHead
        card={props.card}
        when={relativeTime(atMs(), slowNow(), language())}
        whenTitle={fullTime(atMs(), language())}
      />
      <div class="home-sub">
        <span class={`home-outcome-${outcome()}`} title={visible(why())}>
          {why()
            ? t("because", { outcome: sayStatus(outcome()), why: visible(why()) })
            : sayStatus(outcome())}
        </span>
        <Changed change={change()} />
        <Show when={reviewed()?.isSure && !change()?.files}>
          <span>{t("nothingChanged")}</span>
        </Show>
        <Show when={isTimed()}>
          <span>{sayDuration(tookMs())}</span>
        </Show>
        <span class="home-gap" />
        <Show when={change()?.files}>
          <button type="button" class="small" onClick={review}>
            <Icon name="eye" /> {t("review")}
          </button>
        </Show>
        <Show when={outcome() === "failed" && mayAct(room.access())}>
          <Retry session={props.card.session_id} />
        </Show>
      </div>
    </div>
  );
}

/// Sends the prompt of its last run again; where that had more than words, the session opens for the person.
function Retry(props: { session: string }): JSX.Element {
  const room = useRoom();
  const [isAsked, setAsked] = createSignal(false);
  createEffect(() => {
    if (!isAsked()) return;
    room.follow(props.session);
    const mirror = room.mirror(props.session);
    if (!mirror) return;
    setAsked(false);
    const text = findLastPrompt(mirror);
    if (text) void retryRun(room, props.session, text);
    else room.activate(props.session);
  });
  return (
    <button type="button" class="small" disabled={isAsked()} onClick={() => setAsked(true)}>
      <Icon name="retry" /> {t("retry")}
    </button>
  );
}
