// The foot of what can be written: the question where it is asked, and what came of it with its undo.
import { createSignal, For, type JSX, onCleanup, Show } from "solid-js";
import { Counts } from "../diff/head_row";
import { SETTLE_MS } from "../frame/guard";
import { LookingOnly } from "../frame/looking_only";
import type { Ask, FileEdit } from "../model.gen";
import { mayAct, mayChoose } from "../state/access";
import { useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { type Applying, levelOf, tell } from "./applying";
import { t } from "./texts";

const MAX_NAMED = 200; // files; all of them are in the diff above

export function ApplyBar(props: { session: string; applying: Applying; children: JSX.Element }): JSX.Element {
  const room = useRoom();
  const fate = () => props.applying.fate();
  const undoId = () => {
    const now = fate();
    return now.state === "written" && now.written.status === "ok" ? now.written.undo_id : undefined;
  };
  return (
    <div class="review-foot">
      <Show when={tell(fate())}>
        {(text) => (
          <p
            class={`review-told review-${levelOf(fate())}`}
            role={levelOf(fate()) === "error" ? "alert" : "status"}
          >
            {text()}
          </p>
        )}
      </Show>
      <Show when={props.applying.ask()} keyed>
        {(ask) => <Question session={props.session} ask={ask} />}
      </Show>
      <div class="review-actions">
        <Show when={fate().state === "busy" && !props.applying.ask()}>
          <span role="status">{t(props.applying.wasAsked() ? "answered" : "waiting")}</span>
        </Show>
        {props.children}
        <Show when={mayAct(room.access()) && undoId()}>
          {(id) => (
            <button type="button" onClick={() => void props.applying.undo(id())}>
              {t("undo")}
            </button>
          )}
        </Show>
      </div>
    </div>
  );
}

function Question(props: { session: string; ask: Ask }): JSX.Element {
  const room = useRoom();
  const [sent, setSent] = createSignal(false);
  const [why, setWhy] = createSignal("");
  const [isSettled, setIsSettled] = createSignal(false); // a second click on Apply is no yes
  const timer = setTimeout(() => setIsSettled(true), SETTLE_MS);
  onCleanup(() => clearTimeout(timer));
  const answer = async (choice: string) => {
    setSent(true);
    setWhy("");
    try {
      await room.call("ask.answer", { session_id: props.session, ask_id: props.ask.id, choice });
    } catch (fault) {
      setSent(false);
      setWhy(sayFault(fault));
    }
  };
  const files = () => (props.ask.subject.about === "files" ? props.ask.subject.files : []);
  return (
    <section class="review-ask" aria-label={visible(props.ask.title)}>
      <h3 role="alert">{visible(props.ask.title)}</h3>
      <p>{t("asking")}</p>
      <ul>
        <For each={files().slice(0, MAX_NAMED)}>{(file) => <NamedFile file={file} />}</For>
        <Show when={files().length > MAX_NAMED}>
          <li>…</li>
        </Show>
      </ul>
      <Show when={why()}>
        <p class="review-told review-error" role="alert">
          {why()}
        </p>
      </Show>
      <LookingOnly ask={props.ask} />
      <div class="review-actions">
        <For each={props.ask.choices.filter((choice) => mayChoose(room.access(), props.ask, choice))}>
          {(choice) => (
            <button
              type="button"
              classList={{ primary: choice.grants }}
              disabled={sent() || !isSettled()}
              onClick={() => void answer(choice.id)}
            >
              {visible(choice.label)}
            </button>
          )}
        </For>
      </div>
    </section>
  );
}

function NamedFile(props: { file: FileEdit }): JSX.Element {
  const name = () =>
    props.file.moved_to
      ? `${visible(props.file.path)} → ${visible(props.file.moved_to)}`
      : visible(props.file.path);
  return (
    <li>
      <code>{name()}</code>{" "}
      <Counts additions={props.file.additions ?? 0} deletions={props.file.deletions ?? 0} />
    </li>
  );
}
