// A comment where it is written: under its line.
import { createMemo, type JSX, onMount, Show } from "solid-js";
import type { LineAt } from "../../diff/view";
import { MAX_COMMENT } from "../../limits.gen";
import type { LineComment } from "../../model.gen";
import { t } from "../texts";
import { commentAt } from "./comments";
import { placeOf, type Remarks } from "./remarks";

/// What is shown under a line of the diff.
export function RemarkBelow(props: { at: LineAt; remarks: Remarks }): JSX.Element {
  const place = commentAt(props.at);
  const has = createMemo(() => props.remarks.find(place) !== undefined);
  return (
    <Show when={has() && place}>{(there) => <RemarkEditor place={there()} remarks={props.remarks} />}</Show>
  );
}

function RemarkEditor(props: { place: LineComment; remarks: Remarks }): JSX.Element {
  let input!: HTMLTextAreaElement;
  const text = () => props.remarks.find(props.place)?.text ?? "";
  onMount(() => {
    if (text() === "") input.focus();
  });
  /// Out of the field the keys of the diff work again; an empty one goes.
  const leave = () => {
    const region = input.closest<HTMLElement>(".diff-scroll");
    if (text().trim() === "") props.remarks.remove(props.place);
    region?.focus();
  };
  return (
    <div class="review-remark">
      <textarea
        ref={input}
        rows={2}
        maxLength={MAX_COMMENT}
        aria-label={t("commentOn", { place: placeOf(props.place) })}
        placeholder={t("commentHint")}
        value={text()}
        onInput={(event) => props.remarks.put({ ...props.place, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          leave();
        }}
      />
      <button type="button" class="small" onClick={leave}>
        {t("doneWriting")}
      </button>
      <button
        type="button"
        class="plain small"
        aria-label={t("removeAt", { place: placeOf(props.place) })}
        onClick={() => props.remarks.remove(props.place)}
      >
        {t("remove")}
      </button>
    </div>
  );
}
