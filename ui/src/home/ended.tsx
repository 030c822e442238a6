// A session that has ended since the person last looked: how, and what it changed.
import { type JSX, Show } from "solid-js";
import { sayStatus } from "../frame/status_dot";
import { fullTime, relativeTime, slowNow } from "../frame/time";
import { language } from "../i18n/texts";
import { Icon } from "../icons/icon";
import type { Card } from "../model.gen";
import { useRoom } from "../state/room";
import { CardHead } from "./card_head";
import { t } from "./texts";
import { Changed } from "./working";

export function Ended(props: { card: Card }): JSX.Element {
  const room = useRoom();
  const atMs = () => props.card.updated_at_ms ?? 0;
  const review = () => room.show({ kind: "review", session: props.card.session_id, run: "" });
  return (
    <div class="home-card">
      <CardHead
        card={props.card}
        when={relativeTime(atMs(), slowNow(), language())}
        whenTitle={fullTime(atMs(), language())}
      />
      <div class="home-sub">
        <span class={`home-outcome-${props.card.outcome || "completed"}`}>
          {sayStatus(props.card.outcome || "completed")}
        </span>
        <Show when={props.card.files} fallback={<span>{t("nothingChanged")}</span>}>
          <Changed card={props.card} />
        </Show>
        <span class="home-gap" />
        <Show when={props.card.files}>
          <button type="button" class="small" onClick={review}>
            <Icon name="eye" /> {t("review")}
          </button>
        </Show>
      </div>
    </div>
  );
}
