// What one run changed, beside the log: found, shown, and looked for again after something was written.
import { createEffect, createMemo, createSignal, type JSX, Match, on, Show, Switch } from "solid-js";
import { countWritten } from "../../blocks/edits/applied";
import { Icon } from "../../icons/icon";
import type { RunReview } from "../../model.gen";
import { mayAct } from "../../state/access";
import { useRoom } from "../../state/room";
import { sayFault } from "../../text/visible";
import { createApplying } from "../apply/applying";
import { type Asked, hereOf, whyOf } from "../asked";
import { createReverting } from "../reverting";
import { ReviewView } from "../review_view";
import { RunPicker } from "../run_picker";
import { t } from "../texts";
import { Pane } from "./pane";

export function ReviewPane(props: { session: string; run: string; isWhole: boolean }): JSX.Element {
  const room = useRoom();
  const { looked, look } = createLook(props);
  const applying = createApplying(room, () => props.session);
  const reverting = createReverting(room, applying, () => hereOf(looked()));
  const why = () => whyOf(looked());
  return (
    <Pane
      title={t("review")}
      isWhole={props.isWhole}
      tools={
        <>
          <RunPicker session={props.session} run={hereOf(looked())?.run_id ?? props.run} />
          <button
            type="button"
            class="plain icon"
            aria-label={t("refresh")}
            title={t("refresh")}
            onClick={() => void look()}
          >
            <Icon name="retry" />
          </button>
          <Show when={mayAct(room.access()) && reverting.all().length > 0}>
            <button type="button" disabled={reverting.isBusy()} onClick={() => reverting.revertAll()}>
              <Icon name="undo" /> {t("revertAll")}
            </button>
          </Show>
        </>
      }
    >
      <Switch fallback={<p class="review-told">{t("loading")}</p>}>
        <Match when={why()}>
          {(text) => (
            <p class="review-told review-error" role="alert">
              {text()}
            </p>
          )}
        </Match>
        <Match when={hereOf(looked())}>
          {(review) => <ReviewView review={review()} applying={applying} reverting={reverting} />}
        </Match>
      </Switch>
    </Pane>
  );
}

/// The latest answer counts; after something was written, the one before stays in sight until it is there.
function createLook(of: { readonly session: string; readonly run: string }) {
  const room = useRoom();
  const [looked, setLooked] = createSignal<Asked<RunReview>>({ state: "waiting" });
  let asked = 0;
  const look = async (isQuiet = false) => {
    const { session, run } = of;
    asked += 1;
    const mine = asked;
    if (!isQuiet) setLooked({ state: "waiting" });
    const end = (next: Asked<RunReview>) => mine === asked && setLooked(next);
    try {
      end({ state: "here", value: await room.call("edits.review", { session_id: session, run_id: run }) });
    } catch (fault) {
      end({ state: "failed", why: sayFault(fault) });
    }
  };
  createEffect(on([() => of.session, () => of.run], () => void look()));
  const written = createMemo(() => {
    const mirror = room.mirror(of.session);
    return mirror && countWritten(mirror);
  });
  createEffect(on(written, (now, before) => now !== before && before !== undefined && void look(true)));
  return { looked, look };
}
