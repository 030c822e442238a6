// The question of an edit in the pane: which files, and the answers; `y` and `n` answer it.
import { createSignal, createUniqueId, For, type JSX, onCleanup, onMount, Show } from "solid-js";
import { refOfAsk } from "../../asks/ask_key";
import { sayAsk, sayChoice } from "../../asks/ask_words";
import { createReading } from "../../asks/reading/reading";
import { ScrollBody } from "../../asks/reading/scroll_body";
import { PlanDetails } from "../../asks/subject/plan_details";
import { Counts } from "../../diff/rows/head_row";
import { SETTLE_MS } from "../../frame/dialogs/guard";
import { LookingOnly } from "../../frame/dialogs/looking_only";
import type { Ask, Choice, FileEdit } from "../../model.gen";
import { mayChoose } from "../../state/access";
import { useRoom } from "../../state/room";
import { sayFault, visible } from "../../text/visible";

const ASKED_DIFF = "[data-asked]"; // what a yes would write

export function EditQuestion(props: { session: string; ask: Ask }): JSX.Element {
  const room = useRoom();
  const [sent, setSent] = createSignal(false);
  const [why, setWhy] = createSignal("");
  const [isSettled, setIsSettled] = createSignal(false); // a second click on Apply is no yes
  const timer = setTimeout(() => setIsSettled(true), SETTLE_MS);
  onCleanup(() => clearTimeout(timer));
  const reading = createReading();
  const title = createUniqueId();
  const answer = async ({ id: choice, grants }: Choice) => {
    if (grants && !reading.isRead()) return reading.holdBack();
    setSent(true);
    setWhy("");
    try {
      await room.call("ask.answer", { ...refOfAsk(props.session, props.ask), choice });
    } catch (fault) {
      setSent(false);
      setWhy(sayFault(fault));
    }
  };
  const choices = () => props.ask.choices.filter((choice) => mayChoose(room.access(), props.ask, choice));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || sent() || !isSettled()) return;
    const wanted = { y: true, n: false }[event.key.toLowerCase()];
    const choice = choices().find((one) => one.grants === wanted);
    if (!choice) return;
    event.preventDefault();
    void answer(choice);
  };
  let element!: HTMLElement;
  /// What was pressed to ask cannot be pressed meanwhile; the diff has the keys again afterwards.
  onMount(() => element.focus());
  onCleanup(() => {
    const diff = element.closest(".review-pane")?.querySelector<HTMLElement>(".diff-scroll");
    if (element.contains(document.activeElement)) queueMicrotask(() => diff?.focus());
  });
  const files = () => (props.ask.subject.about === "files" ? props.ask.subject.files : []);
  return (
    <section
      ref={element}
      class="review-ask"
      data-question
      tabindex="-1"
      aria-labelledby={title}
      onKeyDown={onKeyDown}
    >
      <ScrollBody labelledBy={title} reading={reading} beside={() => document.querySelector(ASKED_DIFF)}>
        <h3 id={title} role="alert">
          {visible(sayAsk(props.ask))}
        </h3>
        <ul>
          <For each={files()}>{(file) => <NamedFile file={file} />}</For>
        </ul>
      </ScrollBody>
      <PlanDetails plan={props.ask.plan} />
      <Show when={why()}>
        <p class="review-told review-error" role="alert">
          {why()}
        </p>
      </Show>
      <LookingOnly ask={props.ask} />
      <div class="review-actions">
        <For each={choices()}>
          {(choice) => (
            <button
              type="button"
              classList={{ primary: choice.grants }}
              disabled={sent() || !isSettled()}
              onClick={() => void answer(choice)}
            >
              {visible(sayChoice(props.ask, choice))}
              <span aria-hidden="true">
                <kbd>{choice.grants ? "y" : "n"}</kbd>
              </span>
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
