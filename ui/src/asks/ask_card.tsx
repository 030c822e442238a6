// One Ask: what is asked and why, and exactly the answers that the agent allows.
import { createEffect, createMemo, createSignal, createUniqueId, on, Show } from "solid-js";
import type { Guard } from "../frame/dialogs/guard";
import type { Ask, Choice, QuestionsSubject } from "../model.gen";
import { mayChoose } from "../state/access";
import { useRoom } from "../state/room";
import { chooseByKey, hearAnywhere } from "./answers/choice_keys";
import { Foot } from "./answers/foot";
import { createForm } from "./answers/form";
import { Questions, QuestionsLine } from "./answers/questions";
import { AskHead } from "./ask_head";
import { refOfAsk } from "./ask_key";
import { isInView } from "./reading/in_view";
import { createReading } from "./reading/reading";
import { ScrollBody } from "./reading/scroll_body";
import { hasMore, SubjectView } from "./subject/subject_view";

export interface AskCardProps {
  session: string;
  ask: Ask;
  guard: Guard;
  heading: "h2" | "h3" | "h4"; // one below that of its place
  /// One of several: what is long opens on demand, and a yes waits until then.
  compact?: boolean;
  /// Its keys work from anywhere on the page.
  isFirst?: boolean;
  ref?: (card: HTMLElement) => void;
}

const FIRST_FIELD = ".asks-questions :is(input, textarea)";

export function AskCard(props: AskCardProps) {
  const room = useRoom();
  const title = createUniqueId();
  // After a reconnect the same Ask is sent again; the typed text and the focus stay.
  const ask = createMemo(() => props.ask, props.ask, { equals: isSame });
  const [isOpen, setOpen] = createSignal(false);
  const isFolded = () => Boolean(props.compact) && !isOpen() && hasMore(ask());
  const [reason, setReason] = createSignal("");
  const [sent, setSent] = createSignal("");
  const reading = createReading();
  createEffect(on(ask, () => reading.reset(), { defer: true }));
  let card!: HTMLElement;

  /// While nobody is at the other end, no answer would count.
  const isThere = () => room.connection().state === "open";
  const choices = () => ask().choices.filter((choice) => mayChoose(room.access(), ask(), choice));
  const questions = () => findQuestions(ask());
  const isForm = () => (questions()?.questions.length ?? 0) > 0; // the answers are the person's own words
  const form = createForm(questions);

  async function answer(choice: Choice | undefined): Promise<void> {
    if (!choice || sent() || !isThere() || !props.guard.isSettled()) return;
    if (choice.grants && isFolded()) return unfold();
    if (choice.grants && !isForm() && !reading.isRead()) return reading.holdBack();
    const subject = choice.grants ? questions() : undefined;
    if (subject && !form.isComplete())
      return card.querySelector<HTMLElement>("[data-problem] :is(input, textarea)")?.focus();
    setSent(choice.id);
    const done = await room.attempt("ask.answer", {
      ...refOfAsk(props.session, ask()),
      choice: choice.id,
      ...(subject ? { answers: form.answers() } : {}),
      ...(!choice.grants && reason().trim() ? { reason: reason().trim() } : {}),
    });
    if (!done) setSent("");
  }

  function unfold(): void {
    setOpen(true);
    queueMicrotask(() => (card.querySelector<HTMLElement>(FIRST_FIELD) ?? card).focus());
  }

  /// A key answers only what can be seen; for what is scrolled away it leads there.
  function onKeyDown(event: KeyboardEvent): void {
    const choice = chooseByKey(event, card, choices());
    if (choice && !isInView(card)) reading.bringIn(card);
    else void answer(choice);
  }
  hearAnywhere(() => Boolean(props.isFirst), onKeyDown);

  return (
    <article
      ref={(element) => {
        card = element;
        props.ref?.(element);
      }}
      class="asks-card"
      data-first={props.isFirst ? "" : undefined}
      tabindex="0"
      aria-labelledby={title}
      aria-busy={sent() !== ""}
      onKeyDown={onKeyDown}
    >
      <ScrollBody labelledBy={title} reading={reading}>
        <AskHead ask={ask()} heading={props.heading} id={title} />
        <div class="asks-subject">
          <SubjectView
            ask={ask()}
            session={props.session}
            compact={props.compact}
            folded={isFolded()}
            onUnfold={unfold}
          >
            <Show when={questions()}>
              {(subject) => (
                <Show when={!isFolded()} fallback={<QuestionsLine subject={subject()} />}>
                  <Questions subject={subject()} title={ask().title} form={form} />
                </Show>
              )}
            </Show>
          </SubjectView>
        </div>
      </ScrollBody>
      <Foot
        ask={ask()}
        choices={choices()}
        isSent={sent() !== ""}
        isThere={isThere()}
        reason={reason()}
        onReason={setReason}
        onChoose={(choice) => void answer(choice)}
      />
    </article>
  );
}

function findQuestions(ask: Ask): QuestionsSubject | undefined {
  return ask.subject.about === "questions" ? ask.subject : undefined;
}

function isSame(a: Ask, b: Ask): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
