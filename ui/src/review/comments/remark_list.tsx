// How the comments of a review are sent: together, as the next prompt. Each is written under its line.
import { createSignal, type JSX, Show } from "solid-js";
import { MAX_COMMENT } from "../../limits.gen";
import { type Room, useRoom } from "../../state/room";
import { can } from "../../state/sessions/capabilities";
import { sayFault } from "../../text/visible";
import { t } from "../texts";
import { NO_DRAFT, written } from "./comments";
import type { Remarks } from "./remarks";

export function RemarkList(props: { session: string; remarks: Remarks }): JSX.Element {
  const room = useRoom();
  const draft = () => props.remarks.draft();
  const sending = createSending(
    room,
    () => props.session,
    () => props.remarks,
  );
  return (
    <Show when={draft().comments.length > 0}>
      <section class="review-foot review-remarks" aria-label={t("comments", { n: draft().comments.length })}>
        <textarea
          rows={1}
          maxLength={MAX_COMMENT}
          aria-label={t("first")}
          placeholder={t("first")}
          value={draft().text}
          onInput={(event) => props.remarks.set({ ...draft(), text: event.currentTarget.value })}
        />
        <Show when={sending.why()}>
          <p class="review-told review-error" role="alert">
            {t("failed", { why: sending.why() })}
          </p>
        </Show>
        <div class="review-actions">
          <span class="review-hint" aria-live="polite">
            {t("comments", { n: draft().comments.length })}
          </span>
          <button type="button" class="plain" onClick={() => props.remarks.set(NO_DRAFT)}>
            {t("discard")}
          </button>
          <Show when={sending.canSteer()}>
            <button type="button" disabled={!sending.may()} onClick={() => void sending.send("steer")}>
              {t("steer")}
            </button>
          </Show>
          <button
            type="button"
            class="primary"
            disabled={!sending.may()}
            onClick={() => void sending.send("queue")}
          >
            {t("send")}
          </button>
        </div>
      </section>
    </Show>
  );
}

function createSending(room: Room, session: () => string, remarks: () => Remarks) {
  const [isBusy, setIsBusy] = createSignal(false);
  const [why, setWhy] = createSignal("");
  const ready = () => written(remarks().draft().comments);
  const head = () => room.mirror(session())?.head();
  // A second try of the same words has the same key, so that nothing is sent twice.
  let tried = { words: "", key: "" };
  const send = async (how: "queue" | "steer") => {
    setIsBusy(true);
    setWhy("");
    const said = { comments: ready(), text: remarks().draft().text };
    const words = JSON.stringify(said);
    if (tried.words !== words) tried = { words, key: crypto.randomUUID() };
    try {
      const sent = await room.call("edits.comment", { session_id: session(), ...said, how, key: tried.key });
      tried = { words: "", key: "" };
      remarks().set(NO_DRAFT);
      room.toast("info", t(sent.queued ? "queued" : "sent"));
    } catch (fault) {
      setWhy(sayFault(fault));
    }
    setIsBusy(false);
  };
  return {
    why,
    send,
    may: () => !isBusy() && ready().length > 0,
    canSteer: () => head()?.status === "working" && can(head(), "steer"),
  };
}
