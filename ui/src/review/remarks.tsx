// Comments of a review: written under their line, listed together, sent as the next prompt.
import { type Accessor, createMemo, createSignal, For, type JSX, onMount, Show } from "solid-js";
import type { LineAt } from "../diff/view";
import type { LineComment } from "../model.gen";
import { can } from "../state/capabilities";
import { type Room, useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import {
  commentAt,
  find,
  loadDraft,
  MAX_COMMENT,
  MAX_COMMENTS,
  NO_DRAFT,
  put,
  type ReviewDraft,
  remove,
  saveDraft,
  sideOf,
  written,
} from "./comments";
import { t } from "./texts";

const WISH = "review.comments";

/// The draft of one review: every change of it is kept over a reload.
export class Remarks {
  readonly draft: Accessor<ReviewDraft>;

  constructor(
    private readonly room: Room,
    private readonly key: string,
  ) {
    this.draft = createMemo(() => loadDraft(room.wish(WISH), key));
  }

  set(draft: ReviewDraft): void {
    this.room.setWish(WISH, saveDraft(this.room.wish(WISH), this.key, draft));
  }

  find(place: LineComment | undefined): LineComment | undefined {
    return find(this.draft().comments, place);
  }

  put(comment: LineComment): void {
    this.set({ ...this.draft(), comments: put(this.draft().comments, comment) });
  }

  remove(comment: LineComment): void {
    this.set({ ...this.draft(), comments: remove(this.draft().comments, comment) });
  }

  /// Begins a comment, or finds that there are enough.
  begin(at: LineAt): void {
    const place = commentAt(at);
    if (!place || this.find(place)) return;
    if (this.draft().comments.length >= MAX_COMMENTS) this.room.toast("warn", t("full", { n: MAX_COMMENTS }));
    else this.put(place);
  }
}

function placeOf(comment: LineComment): string {
  const side = sideOf(comment) === "before" ? ` (${t("beforeSide")})` : "";
  return `${visible(comment.path)}:${comment.line}${side}`;
}

/// What is shown under a line of the diff.
export function RemarkBelow(props: { at: LineAt; remarks: Remarks }): JSX.Element {
  const place = commentAt(props.at);
  const has = createMemo(() => props.remarks.find(place) !== undefined);
  return (
    <Show when={has() && place}>
      {(there) => <RemarkEditor place={there()} remarks={props.remarks} autofocus />}
    </Show>
  );
}

function RemarkEditor(props: { place: LineComment; remarks: Remarks; autofocus?: boolean }): JSX.Element {
  let input!: HTMLTextAreaElement;
  const text = () => props.remarks.find(props.place)?.text ?? "";
  onMount(() => {
    if (props.autofocus && text() === "") input.focus();
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
      <Show when={props.autofocus}>
        <button type="button" onClick={leave}>
          {t("doneWriting")}
        </button>
      </Show>
      <button
        type="button"
        aria-label={t("removeAt", { place: placeOf(props.place) })}
        onClick={() => props.remarks.remove(props.place)}
      >
        {t("remove")}
      </button>
    </div>
  );
}

export function RemarkList(props: { session: string; remarks: Remarks }): JSX.Element {
  const room = useRoom();
  const [isBusy, setIsBusy] = createSignal(false);
  const [why, setWhy] = createSignal("");
  const ready = () => written(props.remarks.draft().comments);
  const head = () => room.mirror(props.session)?.head();
  const canSteer = () => head()?.status === "working" && can(head(), "steer");
  // A second try of the same words has the same key, so that nothing is sent twice.
  let tried = { words: "", key: "" };

  const send = async (how: "queue" | "steer") => {
    setIsBusy(true);
    setWhy("");
    const said = { comments: ready(), text: props.remarks.draft().text };
    const words = JSON.stringify(said);
    if (tried.words !== words) tried = { words, key: crypto.randomUUID() };
    try {
      const sent = await room.call("edits.comment", {
        session_id: props.session,
        ...said,
        how,
        key: tried.key,
      });
      tried = { words: "", key: "" };
      props.remarks.set(NO_DRAFT);
      room.toast("info", t(sent.queued ? "queued" : "sent"));
    } catch (fault) {
      setWhy(sayFault(fault));
    }
    setIsBusy(false);
  };

  return (
    <Show when={props.remarks.draft().comments.length > 0}>
      <details class="review-remarks" open>
        <summary>{t("comments", { n: props.remarks.draft().comments.length })}</summary>
        <ul>
          <For each={props.remarks.draft().comments.map(placeKey)}>
            {(_, i) => <Listed at={i()} remarks={props.remarks} />}
          </For>
        </ul>
        <textarea
          rows={2}
          maxLength={MAX_COMMENT}
          aria-label={t("first")}
          placeholder={t("first")}
          value={props.remarks.draft().text}
          onInput={(event) =>
            props.remarks.set({ ...props.remarks.draft(), text: event.currentTarget.value })
          }
        />
        <Show when={why()}>
          <p class="review-told review-error" role="alert">
            {t("failed", { why: why() })}
          </p>
        </Show>
        <div class="review-actions">
          <Show when={canSteer()}>
            <button
              type="button"
              disabled={isBusy() || ready().length === 0}
              onClick={() => void send("steer")}
            >
              {t("steer")}
            </button>
          </Show>
          <button
            type="button"
            class="primary"
            disabled={isBusy() || ready().length === 0}
            onClick={() => void send("queue")}
          >
            {t("send")}
          </button>
        </div>
      </details>
    </Show>
  );
}

function placeKey(comment: LineComment): string {
  return `${sideOf(comment)}:${comment.line}:${comment.path}`;
}

function Listed(props: { at: number; remarks: Remarks }): JSX.Element {
  const place = props.remarks.draft().comments[props.at];
  return (
    <Show when={place}>
      {(there) => (
        <li>
          <div>
            <code>{placeOf(there())}</code>
          </div>
          <RemarkEditor place={there()} remarks={props.remarks} />
        </li>
      )}
    </Show>
  );
}
