// What one run changed: hunk by hunk, to take back or to comment on.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { chooseNone, reviewUnit } from "../diff/choosing";
import { DiffView } from "../diff/diff_view";
import type { DiffFile, DiffHunk } from "../diff/parse";
import type { Marks } from "../diff/view";
import type { RunReview } from "../model.gen";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { createChooser } from "./choice";
import { RemarkBelow, RemarkList, Remarks } from "./remarks";
import { toDiffFile } from "./reviewed";
import { t } from "./texts";

export function ReviewView(props: { review: RunReview; onWritten: () => void }): JSX.Element {
  const room = useRoom();
  const files = createMemo(() => props.review.files.map(toDiffFile));
  const units = createMemo(() => props.review.files.map(reviewUnit));
  const chooser = createChooser(files, units, chooseNone);
  const remarks = new Remarks(room, `${props.review.session_id}/${props.review.run_id}`);
  const [isBusy, setIsBusy] = createSignal(false);
  const [why, setWhy] = createSignal("");
  const session = () => props.review.session_id;

  const revert = async () => {
    setIsBusy(true);
    setWhy("");
    try {
      const prepared = await room.call("edits.revert", {
        session_id: session(),
        run_id: props.review.run_id,
        files: chooser.toFiles(),
      });
      room.show({ kind: "prepared", session: session(), prepared, onWritten: props.onWritten });
    } catch (fault) {
      setWhy(sayFault(fault));
    }
    setIsBusy(false);
  };

  return (
    <Show when={files().length > 0} fallback={<Empty note={props.review.note} />}>
      <Show when={props.review.note}>
        {(note) => <p class="review-told review-warn">{visible(note())}</p>}
      </Show>
      <div class="review-body">
        <DiffView
          parsed={files()}
          session={session()}
          choice={chooser.choice}
          marks={marksOf(props.review, files)}
          onComment={mayAct(room.access()) ? (at) => remarks.begin(at) : undefined}
          below={(at) => <RemarkBelow at={at} remarks={remarks} />}
        />
      </div>
      <div class="review-foot">
        <RemarkList session={session()} remarks={remarks} />
        <Show when={why()}>
          <p class="review-told review-error" role="alert">
            {t("failed", { why: why() })}
          </p>
        </Show>
        <div class="review-actions">
          <span aria-live="polite">{t("chosen", { n: chooser.count(), of: chooser.of() })}</span>
          <button type="button" onClick={() => chooser.all()}>
            {t("all")}
          </button>
          <button type="button" onClick={() => chooser.none()}>
            {t("none")}
          </button>
          <button
            type="button"
            disabled={isBusy() || chooser.count() === 0 || !mayAct(room.access())}
            onClick={() => void revert()}
          >
            {t("revert")}
          </button>
        </div>
      </div>
    </Show>
  );
}

function Empty(props: { note: string | undefined }): JSX.Element {
  return (
    <>
      <p class="review-told">{t("nothingChanged")}</p>
      <Show when={props.note}>{(note) => <p class="review-told review-warn">{visible(note())}</p>}</Show>
    </>
  );
}

function marksOf(review: RunReview, files: () => readonly DiffFile[]): Marks {
  const places = createMemo(() => new Map(files().map((file, at) => [file, review.files[at]])));
  return {
    file: (file) => {
      const one = places().get(file);
      return [one?.by === "command" && t("byCommand"), one?.note].filter(Boolean).join(": ") || undefined;
    },
    hunk: (file: DiffFile, hunk: DiffHunk) => {
      const one = places()
        .get(file)
        ?.hunks?.find(({ number }) => number === hunk.number);
      if (!one || (one.there !== false && !one.why)) return undefined;
      return [one.there === false && t("notThere"), one.why].filter(Boolean).join(": ");
    },
  };
}
