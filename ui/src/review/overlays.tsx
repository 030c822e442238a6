// Overlays to decide on: a diff, a prepared diff, the review of a run.
import { createEffect, createSignal, For, type JSX, Match, on, Show, Switch } from "solid-js";
import { DiffView } from "../diff/diff_view";
import { Dialog } from "../frame/dialog";
import type { Run, RunReview } from "../model.gen";
import { type Overlay, useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { type Asked, createAsked, hereOf, whyOf } from "./asked";
import { PreparedView } from "./prepared_view";
import { ReviewView } from "./review_view";
import { t } from "./texts";
import "./review.css";

type Of<K extends Overlay["kind"]> = Extract<Overlay, { kind: K }>;

/// To look at; with an id it can be chosen from and applied.
export function DiffOverlay(props: { overlay: Of<"diff"> }): JSX.Element {
  const room = useRoom();
  return (
    <Dialog title={visible(props.overlay.title) || t("changes")} onClose={room.close} wide>
      <Show
        when={props.overlay.diffId}
        keyed
        fallback={
          <DiffView
            unified={props.overlay.unified}
            files={props.overlay.files}
            session={props.overlay.session}
          />
        }
      >
        {(id) => <KeptDiff session={props.overlay.session} id={id} unified={props.overlay.unified} />}
      </Show>
    </Dialog>
  );
}

/// A diff by its id alone: what hangs on a block may be cut, so all of it is asked for before anything of it
/// can be chosen.
function KeptDiff(props: { session: string; id: string; unified: string }): JSX.Element {
  const room = useRoom();
  const found = createAsked(() => room.call("edits.prepared", { diff_id: props.id }));
  return (
    <Show
      when={hereOf(found())}
      keyed
      fallback={
        <div class="review">
          <p class="review-told" classList={{ "review-error": whyOf(found()) !== undefined }} role="status">
            {whyOf(found()) ?? t("busy")}
          </p>
          <div class="review-body">
            <DiffView unified={props.unified} />
          </div>
        </div>
      }
    >
      {(prepared) => <PreparedView session={props.session} prepared={prepared} />}
    </Show>
  );
}

export function PreparedOverlay(props: { overlay: Of<"prepared"> }): JSX.Element {
  const room = useRoom();
  return (
    <Dialog title={t("prepared")} onClose={room.close} wide>
      <Show when={props.overlay.prepared} keyed>
        {(prepared) => (
          <PreparedView
            session={props.overlay.session}
            prepared={prepared}
            onWritten={props.overlay.onWritten}
          />
        )}
      </Show>
    </Dialog>
  );
}

export function ReviewOverlay(props: { overlay: Of<"review"> }): JSX.Element {
  const room = useRoom();
  const [looked, setLooked] = createSignal<Asked<RunReview>>({ state: "waiting" });
  let asked = 0;
  const look = async () => {
    const { session, run } = props.overlay;
    asked += 1;
    const mine = asked;
    setLooked({ state: "waiting" });
    const end = (next: Asked<RunReview>) => mine === asked && setLooked(next);
    try {
      end({ state: "here", value: await room.call("edits.review", { session_id: session, run_id: run }) });
    } catch (fault) {
      end({ state: "failed", why: sayFault(fault) });
    }
  };
  createEffect(on([() => props.overlay.session, () => props.overlay.run], () => void look()));
  const seen = () => hereOf(looked());
  const why = () => whyOf(looked());
  return (
    <Dialog title={t("review")} onClose={room.close} wide>
      <div class="review">
        <div class="review-head">
          <RunPicker session={props.overlay.session} run={seen()?.run_id ?? props.overlay.run} />
          <button type="button" onClick={() => void look()}>
            {t("refresh")}
          </button>
        </div>
        <Switch fallback={<p class="review-told">{t("loading")}</p>}>
          <Match when={why()}>
            {(text) => (
              <p class="review-told review-error" role="alert">
                {text()}
              </p>
            )}
          </Match>
          <Match when={seen()} keyed>
            {(review) => <ReviewView review={review} onWritten={() => void look()} />}
          </Match>
        </Switch>
      </div>
    </Dialog>
  );
}

const OUTCOMES = {
  running: "running",
  completed: "completed",
  interrupted: "interrupted",
  failed: "failedRun",
} as const;
const MAX_RUNS = 100; // the latest ones

function RunPicker(props: { session: string; run: string }): JSX.Element {
  const room = useRoom();
  const runs = () => (room.mirror(props.session)?.head().runs ?? []).slice(-MAX_RUNS).toReversed();
  const label = (run: Run, at: number) => {
    const time = run.started_at_ms ? new Date(run.started_at_ms).toLocaleString() : run.id;
    const told = t("runAt", { time, outcome: t(OUTCOMES[run.outcome ?? "running"]) });
    return at === 0 ? `${told} (${t("latest")})` : told;
  };
  return (
    <Show when={runs().length > 1}>
      <label>
        {t("run")}{" "}
        <select
          value={props.run}
          onChange={(event) =>
            room.show({ kind: "review", session: props.session, run: event.currentTarget.value })
          }
        >
          <For each={runs()}>
            {(run, at) => (
              <option value={run.id} selected={run.id === props.run}>
                {label(run, at())}
              </option>
            )}
          </For>
        </select>
      </label>
    </Show>
  );
}
