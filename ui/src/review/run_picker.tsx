// Which run of the session is reviewed.
import { For, type JSX, Show } from "solid-js";
import type { ShownStatus } from "../frame/session/shown_status";
import { sayStatus } from "../frame/session/status_dot";
import { language } from "../i18n/texts";
import type { Run } from "../model.gen";
import { useRoom } from "../state/room";
import { t } from "./texts";

const MAX_RUNS = 100; // the latest ones

export function RunPicker(props: { session: string; run: string }): JSX.Element {
  const room = useRoom();
  const runs = () => (room.mirror(props.session)?.head().runs ?? []).slice(-MAX_RUNS).toReversed();
  const label = (run: Run, at: number) => {
    const time = run.started_at_ms ? sayTime(new Date(run.started_at_ms)) : run.id;
    const label = t("runAt", { time, outcome: sayStatus(stateOf(run)) });
    return at === 0 ? `${label} (${t("latest")})` : label;
  };
  return (
    <Show when={runs().length > 1}>
      <select
        class="review-run"
        aria-label={t("run")}
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
    </Show>
  );
}

/// Without the date of today: the field is narrow.
function sayTime(at: Date): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(language(), { ...(isToday ? {} : { dateStyle: "short" }), timeStyle: "short" });
}

function stateOf(run: Run): ShownStatus {
  if (run.declined) return "declined";
  return (run.outcome ?? "running") === "running" ? "working" : (run.outcome as ShownStatus);
}
