// A diff that can be applied: choose of it, see the files after it, write it after a yes.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { findApplied } from "../../blocks/edits/applied";
import { chooseAll } from "../../diff/choosing";
import { DiffView } from "../../diff/diff_view";
import { toPreparedFiles } from "../../diff/read/hunks";
import type { DiffFile } from "../../diff/read/parse";
import type { Mark } from "../../diff/view";
import { Icon } from "../../icons/icon";
import type { Prepared, PreparedFile } from "../../model.gen";
import { mayAct } from "../../state/access";
import { useRoom } from "../../state/room";
import { previewUnits } from "../reviewed";
import { t } from "../texts";
import { ApplyBar } from "./apply_bar";
import { createApplying, type Target } from "./applying";
import { createChooser } from "./choice";
import { ResultView } from "./result_view";

export function PreparedView(props: { session: string; prepared: Prepared }): JSX.Element {
  const room = useRoom();
  const [tab, setTab] = createSignal<"changes" | "result">("changes");
  const files = createMemo(() => toPreparedFiles(props.prepared.files));
  const isAllShown = () => files().length === props.prepared.files.length;
  const units = createMemo(() => previewUnits(files()));
  const chooser = createChooser(files, units, chooseAll);
  const applying = createApplying(room, () => props.session);
  const isBusy = () => applying.fate().state === "busy";
  const applied = createMemo(() => {
    const mirror = room.mirror(props.session);
    const done = mirror && findApplied(mirror, props.prepared.diff_id);
    return done?.isPart ? undefined : done;
  });
  const isWritten = () => {
    const fate = applying.fate();
    if (applied()) return true;
    return fate.state === "ended" && fate.action === "write" && fate.written.status === "ok";
  };
  const asked = () => {
    const subject = applying.ask()?.subject;
    return subject?.about === "files" ? subject.files : undefined;
  };

  // A part has an id of its own; the same part is asked for once.
  let part: { key: string; target: Promise<Target> } | undefined;
  const target = (): Promise<Target> => {
    if (chooser.isEverything()) return Promise.resolve({ diffId: props.prepared.diff_id });
    const chosen = chooser.toFiles();
    const key = JSON.stringify(chosen);
    if (part?.key === key) return part.target;
    const call = room.call("edits.select", { diff_id: props.prepared.diff_id, files: chosen });
    const made = call.then(({ diff_id }) => ({ diffId: diff_id }));
    made.catch(() => (part = undefined));
    part = { key, target: made };
    return made;
  };
  const moved = (file: DiffFile): Mark | undefined => {
    const text = movedText(props.prepared.files[files().indexOf(file)]);
    return text ? { text, isQuiet: false } : undefined;
  };

  return (
    <>
      <div class="review-head">
        <Show when={chooser.isEverything()}>
          <code>{t("plan", { hash: props.prepared.hash.slice(0, 12) })}</code>
        </Show>
        <Tabs tab={tab()} onTab={setTab} />
        <span class="review-space" />
        <Show when={!applied()}>
          <Chosen chooser={chooser} isBusy={isBusy()} />
        </Show>
      </div>
      <Show when={!isAllShown()}>
        <p class="review-told review-warn">
          {t("cut", { n: files().length, of: props.prepared.files.length })}
        </p>
      </Show>
      <div class="review-body" data-asked={asked() && ""}>
        <Show
          when={!asked()}
          fallback={
            <>
              <p class="review-told">{t("wouldWrite")}</p>
              <DiffView files={asked() ?? []} whole />
            </>
          }
        >
          <Show
            when={tab() === "changes"}
            fallback={<ResultView target={target} isEmpty={chooser.count() === 0} />}
          >
            <DiffView
              parsed={files()}
              choice={applied() ? undefined : chooser.choice}
              marks={{ file: moved }}
            />
          </Show>
        </Show>
      </div>
      <ApplyBar session={props.session} applying={applying} undoId={applied()?.undoId}>
        <Show when={!applied()} fallback={<Applied />}>
          <Show when={!isWritten()}>
            <span class="review-hint">{t(chooser.count() === 0 ? "nothing" : "applyHint")}</span>
          </Show>
          <button
            type="button"
            class="primary"
            disabled={isBusy() || isWritten() || chooser.count() === 0 || !mayAct(room.access())}
            onClick={() => void applying.apply(target)}
          >
            {t(chooser.isEverything() && isAllShown() ? "apply" : "applyChosen")}
          </button>
        </Show>
      </ApplyBar>
    </>
  );
}

function Chosen(props: { chooser: ReturnType<typeof createChooser>; isBusy: boolean }): JSX.Element {
  return (
    <>
      <span aria-live="polite">{t("chosen", { n: props.chooser.count(), of: props.chooser.of() })}</span>
      <button type="button" disabled={props.isBusy} onClick={() => props.chooser.all()}>
        {t("all")}
      </button>
      <button type="button" disabled={props.isBusy} onClick={() => props.chooser.none()}>
        {t("none")}
      </button>
    </>
  );
}

function Applied(): JSX.Element {
  return (
    <span class="review-applied" role="status">
      <Icon name="check" /> {t("applied")}
    </span>
  );
}

function Tabs(props: { tab: "changes" | "result"; onTab: (tab: "changes" | "result") => void }) {
  return (
    <div class="diff-switch">
      <button type="button" aria-pressed={props.tab === "changes"} onClick={() => props.onTab("changes")}>
        {t("changes")}
      </button>
      <button type="button" aria-pressed={props.tab === "result"} onClick={() => props.onTab("result")}>
        {t("result")}
      </button>
    </div>
  );
}

function movedText(file: PreparedFile | undefined): string | undefined {
  const moved = file?.moved ?? [];
  const signed = (offset: number) => (offset > 0 ? `+${offset}` : String(offset));
  return (
    moved.map(({ hunk, offset }) => t("movedHunk", { hunk, offset: signed(offset) })).join(", ") || undefined
  );
}
