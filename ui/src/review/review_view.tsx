// What one run changed: hunk by hunk, to revert or to comment on.
import { createMemo, type JSX, Show } from "solid-js";
import { DiffView } from "../diff/diff_view";
import type { DiffFile, DiffHunk } from "../diff/read/parse";
import type { HeadAction, LineMarks, Mark } from "../diff/view";
import type { ReviewedFile, RunReview } from "../model.gen";
import { mayAct } from "../state/access";
import { useRoom } from "../state/room";
import { visible } from "../text/visible";
import { ApplyBar } from "./apply/apply_bar";
import type { Applying } from "./apply/applying";
import { RemarkBelow } from "./comments/remark_editor";
import { RemarkList } from "./comments/remark_list";
import { Remarks } from "./comments/remarks";
import type { Reverting } from "./reverting";
import { toDiffFile } from "./reviewed";
import { t } from "./texts";

interface ReviewViewProps {
  review: RunReview;
  applying: Applying;
  reverting: Reverting;
}

export function ReviewView(props: ReviewViewProps): JSX.Element {
  const room = useRoom();
  const files = createMemo(() => props.review.files.map(toDiffFile));
  const places = createMemo(() => new Map(files().map((file, at) => [file, at])));
  const at = (file: DiffFile) => places().get(file) ?? -1;
  const remarks = createMemo(
    () => new Remarks(room, `${props.review.session_id}/${props.review.run_id}`),
    undefined,
  );
  const session = () => props.review.session_id;
  const action: HeadAction = {
    get label() {
      return t("revert");
    },
    key: "r",
    isBusy: () => props.reverting.isBusy(),
    may: (file, hunk) => props.reverting.may(at(file), hunk?.number),
    act: (file, hunk) => props.reverting.revert(at(file), hunk?.number),
  };
  const isIdle = () => props.applying.fate().state === "idle";

  return (
    <Show when={files().length > 0} fallback={<Empty note={props.review.note} />}>
      <Show when={props.review.note}>
        {(note) => <p class="review-told review-warn">{visible(note())}</p>}
      </Show>
      <div class="review-body">
        <DiffView
          parsed={files()}
          session={session()}
          action={mayAct(room.access()) ? action : undefined}
          marks={marksOf((file) => props.review.files[at(file)])}
          onComment={mayAct(room.access()) ? (line) => remarks().begin(line) : undefined}
          below={(line) => <RemarkBelow at={line} remarks={remarks()} />}
        />
      </div>
      <Show when={!isIdle()}>
        <ApplyBar session={session()} applying={props.applying} />
      </Show>
      <RemarkList session={session()} remarks={remarks()} />
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

function marksOf(find: (file: DiffFile) => ReviewedFile | undefined): LineMarks {
  const markHunk = (file: DiffFile, hunk: DiffHunk): Mark | undefined => {
    const one = find(file)?.hunks?.find(({ number }) => number === hunk.number);
    if (one?.reverted) return { text: t("reverted"), isQuiet: true };
    if (!one || (one.there !== false && !one.why)) return undefined;
    const text = [one.there === false && t("notThere"), one.why].filter(Boolean).join(": ");
    return { text, isQuiet: false };
  };
  return {
    hunk: markHunk,
    file: (file) => {
      const one = find(file);
      const [lone] = file.hunks.length === 1 && file.kind !== "update" ? file.hunks : [];
      const ofLone = lone && markHunk(file, lone); // whose head isn't shown
      if (ofLone) return ofLone;
      const text = one?.by === "command" ? t("byCommand") : "";
      return text || one?.note ? { text, isQuiet: true, more: one?.note } : undefined;
    },
  };
}
