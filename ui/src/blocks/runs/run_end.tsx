// The end of a run in one line: its outcome, what it changed, how long it took, and what can be done about it.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { Counts } from "../../frame/counts";
import { hasRun } from "../../frame/session/latest_diff";
import { createRunChange } from "../../frame/session/run_changes";
import { sayStatus } from "../../frame/session/status_dot";
import { shortNumber } from "../../frame/status/usage";
import { language } from "../../i18n/texts";
import { Icon, type IconName } from "../../icons/icon";
import type { FileEdit, Run } from "../../model.gen";
import { mayAct } from "../../state/access";
import { type Mirror, useRoom } from "../../state/room";
import { isViewed } from "../../state/sessions/viewed";
import { sayDuration } from "../duration";
import { countReverted, findReverted, isRevertAsked } from "../edits/applied";
import { t as shared } from "../texts";
import { t } from "../tools/tool_texts";
import { findPrompt, retryRun, undoRun } from "./run_acts";

type Outcome = Exclude<NonNullable<Run["outcome"]>, "running"> | "declined";

const ICONS: Record<Outcome, IconName> = {
  completed: "check",
  failed: "failed",
  interrupted: "cancelled",
  declined: "declined",
};

export function RunEnd(props: { mirror: Mirror; run: string; ids: readonly string[] }): JSX.Element {
  const run = createMemo(() => props.mirror.head().runs?.find(({ id }) => id === props.run));
  const outcome = (): Outcome => {
    const now = run()?.outcome ?? "completed";
    if (run()?.declined) return "declined";
    return now === "running" ? "completed" : now;
  };
  const files = createMemo(() => changedFiles(props.mirror, props.run, props.ids));
  const isReverted = createMemo(() => findReverted(props.mirror, props.run) !== undefined);
  const back = createMemo(() => countReverted(props.mirror, props.run));
  const isPartlyReverted = () => !isReverted() && back().additions + back().deletions > 0;
  /// A command may have changed files too: only the review knows.
  const hasCommands = createMemo(() => props.ids.some((id) => hasRun(props.mirror.block(id))));
  const isOver = () => (run()?.outcome ?? "running") !== "running";
  const reviewed = createRunChange(useRoom(), () =>
    hasCommands() && isOver() && !isViewed(props.mirror.id)
      ? { session: props.mirror.id, run: props.run }
      : undefined,
  );
  const count = () => reviewed()?.files ?? files().length;
  const left = (of: "additions" | "deletions") => {
    const all = reviewed()?.[of] ?? files().reduce((sum, file) => sum + (file[of] ?? 0), 0);
    return Math.max(0, all - back()[of]);
  };
  return (
    <div class={`blocks-end blocks-end-${outcome()}`} data-item={`end:${props.run}`}>
      <Icon name={ICONS[outcome()]} />
      <span class="blocks-end-words">
        <span title={t("withWaiting")}>{sayOutcome(outcome(), run())}</span>
        <Show when={count() > 0 && !isReverted()}>
          {" · "}
          {count() === 1 ? shared("files_one") : shared("files", { count: count() })}{" "}
          <Counts additions={left("additions")} deletions={left("deletions")} />
        </Show>
        <Show when={isReverted() || isPartlyReverted()}>
          {` · ${t(isReverted() ? "undone" : "partlyUndone")}`}
        </Show>
        <Show when={run()?.tokens}>
          {(tokens) => <>{` · ${t("tokens", { count: shortNumber(tokens(), language()) })}`}</>}
        </Show>
      </span>
      <EndActions
        mirror={props.mirror}
        run={props.run}
        ids={props.ids}
        hasFiles={count() > 0}
        mayHaveMore={hasCommands() && !reviewed()?.isSure}
        isReverted={isReverted()}
      />
    </div>
  );
}

interface EndActionsProps {
  mirror: Mirror;
  run: string;
  ids: readonly string[];
  hasFiles: boolean;
  mayHaveMore: boolean; // of which nobody knows yet
  isReverted: boolean;
}

function EndActions(props: EndActionsProps): JSX.Element {
  const room = useRoom();
  const [isBusy, setBusy] = createSignal(false);
  const session = () => props.mirror.id;
  const isUndoing = () => isBusy() || isRevertAsked(props.mirror, props.run);
  const isLast = () => props.mirror.head().runs?.at(-1)?.id === props.run;
  const hasFailed = () => isLast() && props.mirror.head().runs?.at(-1)?.outcome === "failed";
  const prompt = () => findPrompt(props.ids.map((id) => props.mirror.block(id)));
  const during = async (work: Promise<unknown>) => {
    setBusy(true);
    await work;
    setBusy(false);
  };
  return (
    <span class="blocks-end-acts">
      <Show when={mayAct(room.access()) && hasFailed() && prompt()}>
        {(text) => (
          <button
            type="button"
            class="small"
            disabled={isBusy()}
            onClick={() => void during(retryRun(room, session(), text()))}
          >
            <Icon name="retry" /> {t("retry")}
          </button>
        )}
      </Show>
      <Show when={mayAct(room.access()) && props.hasFiles && !props.isReverted}>
        <button
          type="button"
          class="plain small"
          disabled={isUndoing()}
          title={t("undoTitle")}
          onClick={() => void during(undoRun(room, session(), props.run))}
        >
          <Icon name="undo" /> {isUndoing() ? shared("applying") : t("undo")}
        </button>
      </Show>
      <Show when={props.hasFiles || props.mayHaveMore}>
        <button
          type="button"
          class="small"
          onClick={() => room.show({ kind: "review", session: session(), run: props.run })}
        >
          <Icon name="eye" /> {t("reviewRun")}
        </button>
      </Show>
    </span>
  );
}

function sayOutcome(outcome: Outcome, run: Run | undefined): string {
  const ms = (run?.ended_at_ms ?? 0) - (run?.started_at_ms ?? 0);
  const isTimed = Boolean(run?.ended_at_ms && run.started_at_ms && ms >= 0);
  return isTimed ? t(`${outcome}In`, { time: sayDuration(ms) }) : sayStatus(outcome);
}

/// Each file once: as the run's own diff has it, else as its edits add up.
function changedFiles(mirror: Mirror, run: string, ids: readonly string[]): readonly FileEdit[] {
  const diff = mirror.head().diff;
  if (diff?.run === run) return diff.files;
  const files = new Map<string, FileEdit>();
  for (const id of ids) {
    const block = mirror.block(id);
    if (block?.kind !== "fileChange" || block.status !== "completed") continue;
    for (const file of block.files ?? []) files.set(file.path, added(files.get(file.path), file));
  }
  return [...files.values()];
}

function added(known: FileEdit | undefined, file: FileEdit): FileEdit {
  if (!known) return file;
  return {
    ...file,
    additions: (known.additions ?? 0) + (file.additions ?? 0),
    deletions: (known.deletions ?? 0) + (file.deletions ?? 0),
  };
}
