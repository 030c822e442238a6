// A session that has ended since the person last looked: how, and what it changed.
import { type JSX, Show } from "solid-js";
import { createRunChange } from "../frame/run_changes";
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
  /// The card knows what the agent's own edits changed; what its commands did is in the review.
  const reviewed = createRunChange(room, () =>
    props.card.files ? undefined : { session: props.card.session_id, run: "", version: atMs() },
  );
  const change = () => (props.card.files ? props.card : reviewed());
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
        <Changed change={change()} />
        <Show when={reviewed()?.isSure && !change()?.files}>
          <span>{t("nothingChanged")}</span>
        </Show>
        <span class="home-gap" />
        <Show when={change()?.files}>
          <button type="button" class="small" onClick={review}>
            <Icon name="eye" /> {t("review")}
          </button>
        </Show>
      </div>
    </div>
  );
}
