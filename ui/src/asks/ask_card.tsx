// One Ask: what is asked and why, and exactly the answers that the agent allows.
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  on,
  onCleanup,
  Show,
} from "solid-js";
import { createStore } from "solid-js/store";
import type { Guard } from "../frame/guard";
import { LookingOnly } from "../frame/looking_only";
import type { Ask, Choice, Question, QuestionsSubject } from "../model.gen";
import { never } from "../never";
import { mayChoose } from "../state/access";
import { useRoom } from "../state/room";
import { spelt, speltLine } from "../text/spelt";
import { beginningOf, collect, findNo, findProblem, findYes, type Given, MAX_REASON } from "./answers";
import { AskHead } from "./ask_head";
import { refOfAsk } from "./ask_key";
import { sayChoice, sayRule } from "./ask_words";
import { PlanDetails } from "./plan_details";
import { Questions, QuestionsLine } from "./questions";
import { createReading } from "./reading";
import { ScrollBody } from "./scroll_body";
import { Shortened } from "./shortened";
import { CommandView, DeviceView, FilesView, PermissionsView, SettingView, TrustView } from "./subject";
import { t } from "./texts";

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

const SHORTCUTS: Record<string, (choices: readonly Choice[]) => Choice | undefined> = {
  y: findYes,
  n: findNo,
};
const RULE_LINES = 2;
const RULE_LENGTH = 160; // characters
const TYPED_INTO = "input, textarea, select, [contenteditable]";
const BUSY_WITH = `${TYPED_INTO}, .asks-card, [role=menu], [role=listbox], .panes-dock`; // the keys are theirs
const FIRST_FIELD = ".asks-questions :is(input, textarea)";

export function AskCard(props: AskCardProps) {
  const room = useRoom();
  const title = createUniqueId();
  // After a reconnect the same Ask is sent again; the typed text and the focus stay.
  const ask = createMemo(() => props.ask, props.ask, { equals: isSame });
  const [isOpen, setOpen] = createSignal(false);
  const isFolded = () => Boolean(props.compact) && !isOpen() && hasMore(ask());
  const [reason, setReason] = createSignal("");
  const [given, setGiven] = createStore<Record<string, Given>>({});
  const [tried, setTried] = createSignal(false);
  const [sent, setSent] = createSignal("");
  const reading = createReading();
  createEffect(on(ask, () => reading.reset(), { defer: true }));
  let card!: HTMLElement;

  /// While nobody is at the other end, no answer would count.
  const isThere = () => room.connection().state === "open";
  const choices = () => ask().choices.filter((choice) => mayChoose(room.access(), ask(), choice));
  const questions = () => findQuestions(ask());
  const isForm = () => (questions()?.questions.length ?? 0) > 0; // the answers are the person's own words
  const givenTo = (id: string) =>
    given[slot(id)] ?? beginningOf(questions()?.questions.find((one) => one.id === id));
  const problem = (question: Question) => {
    const subject = questions();
    return subject && tried() ? findProblem(subject, question, givenTo(question.id)) : undefined;
  };

  /// Shows what is missing and goes to the first of it.
  function isComplete(): boolean {
    setTried(true);
    if (!questions()?.questions.some(problem)) return true;
    card.querySelector<HTMLElement>("[data-problem] :is(input, textarea)")?.focus();
    return false;
  }

  async function answer(choice: Choice | undefined): Promise<void> {
    if (!choice || sent() || !isThere() || !props.guard.isSettled()) return;
    if (choice.grants && isFolded()) return unfold();
    if (choice.grants && !isForm() && !reading.isRead()) return reading.holdBack();
    const subject = choice.grants ? questions() : undefined;
    if (subject && !isComplete()) return;
    setSent(choice.id);
    const done = await room.attempt("ask.answer", {
      ...refOfAsk(props.session, ask()),
      choice: choice.id,
      ...(subject ? { answers: collect(subject, givenTo) } : {}),
      ...(!choice.grants && reason().trim() ? { reason: reason().trim() } : {}),
    });
    if (!done) setSent("");
  }

  function unfold(): void {
    setOpen(true);
    queueMicrotask(() => (card.querySelector<HTMLElement>(FIRST_FIELD) ?? card).focus());
  }

  /// With the focus on the card or a button in it: a letter that is typed into a field answers nothing.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== card && (event.target as Element).closest(TYPED_INTO)) return;
    const choice = SHORTCUTS[event.key.toLowerCase()]?.(choices());
    if (!choice) return;
    event.preventDefault();
    void answer(choice);
  }

  createEffect(() => {
    if (!props.isFirst) return;
    const onAnywhere = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (!event.defaultPrevented && !target.closest(BUSY_WITH) && !document.querySelector("dialog[open]"))
        onKeyDown(event);
    };
    document.addEventListener("keydown", onAnywhere);
    onCleanup(() => document.removeEventListener("keydown", onAnywhere));
  });

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
                  <Questions
                    subject={subject()}
                    given={givenTo}
                    problem={problem}
                    onGiven={(id, now) => setGiven(slot(id), now)}
                  />
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

interface FootProps {
  ask: Ask;
  choices: readonly Choice[];
  isSent: boolean;
  isThere: boolean;
  reason: string;
  onReason: (reason: string) => void;
  onChoose: (choice: Choice) => void;
}

/// The answers, always in sight, and on demand the reason of a no.
function Foot(props: FootProps) {
  const [isGiving, setGiving] = createSignal(false);
  const takesReason = () => props.ask.by !== "bascule" && findNo(props.choices) !== undefined;
  return (
    <div class="asks-foot">
      <div class="asks-choices">
        <For each={props.choices}>
          {(choice) => (
            <ChoiceButton
              ask={props.ask}
              choice={choice}
              shortcut={shortcutOf(choice, props.choices)}
              disabled={props.isSent || !props.isThere}
              onChoose={() => props.onChoose(choice)}
            />
          )}
        </For>
        <Show when={takesReason() && !isGiving() && !props.reason}>
          <button
            type="button"
            class="plain asks-give"
            disabled={!props.isThere}
            onClick={() => setGiving(true)}
          >
            {t("giveReason")}
          </button>
        </Show>
      </div>
      <Show when={!props.isThere}>
        <p class="asks-away" role="note">
          {t("away")}
        </p>
      </Show>
      <LookingOnly ask={props.ask} />
      <Show when={takesReason() && (isGiving() || props.reason)}>
        <label class="asks-reason">
          <span class="unseen">{t("reason")}</span>
          <textarea
            ref={(field) => queueMicrotask(() => field.focus())}
            rows={1}
            maxLength={MAX_REASON}
            placeholder={t("reasonHint")}
            value={props.reason}
            onInput={(event) => props.onReason(event.currentTarget.value)}
          />
        </label>
      </Show>
    </div>
  );
}

function findQuestions(ask: Ask): QuestionsSubject | undefined {
  return ask.subject.about === "questions" ? ask.subject : undefined;
}

/// A server names its questions as it likes: `constructor` is no name of an object's own here.
function slot(question: string): string {
  return `/${question}`;
}

function isSame(a: Ask, b: Ask): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function shortcutOf(choice: Choice, choices: readonly Choice[]): string {
  if (choice === findYes(choices)) return "y";
  return choice === findNo(choices) ? "n" : "";
}

interface SubjectProps {
  ask: Ask;
  session: string;
  compact: boolean | undefined;
  folded: boolean;
  onUnfold: () => void;
  children: JSX.Element;
}

/// What a compact card opens on demand: a form, or a diff.
function hasMore(ask: Ask): boolean {
  const { subject } = ask;
  if (subject.about === "questions") return subject.questions.length > 0;
  return subject.about === "files" && subject.files.some((file) => file.diff);
}

function SubjectView(props: SubjectProps): JSX.Element {
  const view = () => {
    const subject = props.ask.subject;
    switch (subject.about) {
      case "command":
        return <CommandView subject={subject} compact={props.compact} />;
      case "files":
        return (
          <FilesView
            subject={subject}
            session={props.session}
            folded={props.folded}
            onUnfold={props.onUnfold}
          />
        );
      case "permissions":
        return <PermissionsView subject={subject} />;
      case "device":
        return <DeviceView subject={subject} />;
      case "questions":
        return props.children;
      case "setting":
        return <SettingView subject={subject} />;
      case "action":
        return <p class="asks-words">{spelt(subject.text)}</p>;
      case "trust":
        return <TrustView subject={subject} />;
      default:
        return never(subject);
    }
  };
  return (
    <>
      {view()}
      <Show when={!props.folded}>
        <PlanDetails plan={props.ask.plan} />
      </Show>
    </>
  );
}

interface ChoiceButtonProps {
  ask: Ask;
  choice: Choice;
  shortcut: string;
  disabled: boolean;
  onChoose: () => void;
}

/// The rule that a lasting answer would write is read before it is chosen.
function ChoiceButton(props: ChoiceButtonProps) {
  const rule = createUniqueId();
  return (
    <div class="asks-choice">
      <button
        type="button"
        classList={{ primary: props.shortcut === "y" }}
        disabled={props.disabled}
        aria-describedby={props.choice.rule ? rule : undefined}
        aria-keyshortcuts={props.shortcut || undefined}
        onClick={props.onChoose}
      >
        {speltLine(sayChoice(props.ask, props.choice))}
        <Show when={props.shortcut}>
          <span aria-hidden="true">
            <kbd>{props.shortcut}</kbd>
          </span>
        </Show>
      </button>
      <Show when={props.choice.rule}>
        <span class="asks-rule">
          <span class="asks-rule-of" aria-hidden="true">
            {speltLine(sayChoice(props.ask, props.choice))}:{" "}
          </span>
          <span id={rule}>
            <Shortened text={spelt(sayRule(props.choice))} lines={RULE_LINES} length={RULE_LENGTH} />
          </span>
        </span>
      </Show>
    </div>
  );
}
