// The questions of an Ask: options, own words, numbers, secrets, yes or no.
import { createUniqueId, For, Show } from "solid-js";
import type { Question, QuestionsSubject } from "../../model.gen";
import { useRoom } from "../../state/room";
import { spelt, speltLine } from "../../text/spelt";
import { t } from "../texts";
import {
  type Given,
  isNeeded,
  isWebAddress,
  MAX_ANSWER,
  optionsOf,
  type Problem,
  pick,
  takesOwnWords,
  write,
} from "./answers";
import type { Form } from "./form";

export interface QuestionsProps {
  subject: QuestionsSubject;
  /// What the card is called: a server that it names needs no line of its own.
  title: string;
  form: Form;
}

export function Questions(props: QuestionsProps) {
  return (
    <div class="asks-questions">
      <Show when={!props.title.includes(props.subject.server ?? "")}>
        <p class="asks-dim">{t("serverAsks", { server: speltLine(props.subject.server ?? "") })}</p>
      </Show>
      <Show when={props.subject.message}>
        <p class="asks-words">{spelt(props.subject.message ?? "")}</p>
      </Show>
      <Show when={props.subject.url}>{(url) => <Address url={url()} />}</Show>
      <For each={props.subject.questions}>
        {(question) => (
          <Field
            question={question}
            needed={isNeeded(props.subject, question)}
            given={props.form.given(question.id)}
            problem={props.form.problem(question)}
            onGiven={(given) => props.form.give(question.id, given)}
          />
        )}
      </For>
    </div>
  );
}

/// The first of them and how many more, where the form opens on demand.
export function QuestionsLine(props: { subject: QuestionsSubject }) {
  const more = () => props.subject.questions.length - 1;
  return (
    <p class="asks-line">
      <span>{speltLine(props.subject.questions[0]?.text ?? "")}</span>
      <Show when={more() > 0}>
        {" "}
        <span class="asks-dim">{t("moreQuestions", { n: more() })}</span>
      </Show>
    </p>
  );
}

function Address(props: { url: string }) {
  const room = useRoom();
  return (
    <p class="asks-address">
      <code>{speltLine(props.url)}</code>
      <Show when={isWebAddress(props.url)} fallback={<span class="asks-problem">{t("notOpened")}</span>}>
        <button type="button" onClick={() => room.host.openExternal(props.url)}>
          {t("openAddress")}
        </button>
      </Show>
    </p>
  );
}

interface QuestionFieldProps {
  question: Question;
  needed: boolean;
  given: Given;
  problem: Problem | undefined;
  onGiven: (given: Given) => void;
}

function Field(props: QuestionFieldProps) {
  const id = createUniqueId();
  const problemId = `${id}-problem`;
  return (
    <fieldset
      class="asks-field"
      aria-describedby={props.problem ? problemId : undefined}
      data-problem={props.problem}
    >
      <legend>
        <Show when={props.question.header && props.question.header !== props.question.text}>
          <strong>{spelt(props.question.header ?? "")}: </strong>
        </Show>
        {spelt(props.question.text)}
        <Show when={props.needed}>
          <span class="asks-dim"> {t("needed")}</span>
        </Show>
      </legend>
      <Options {...props} name={id} />
      <Show when={takesOwnWords(props.question)}>
        <OwnWords {...props} />
      </Show>
      <Show when={props.problem}>
        {(problem) => (
          <p id={problemId} class="asks-problem" role="alert">
            {t(`problem_${problem()}`)}
          </p>
        )}
      </Show>
    </fieldset>
  );
}

function Options(props: QuestionFieldProps & { name: string }) {
  return (
    <For each={optionsOf(props.question)}>
      {(option) => (
        <label class="asks-option">
          <input
            type={props.question.several ? "checkbox" : "radio"}
            name={props.name}
            checked={props.given.picked.includes(option.label)}
            onChange={() => props.onGiven(pick(props.question, props.given, option.label))}
          />
          <span>
            {spelt(option.label)}
            <Show when={option.description}>
              <span class="asks-dim"> {spelt(option.description ?? "")}</span>
            </Show>
          </span>
        </label>
      )}
    </For>
  );
}

function OwnWords(props: QuestionFieldProps) {
  const label = () => (optionsOf(props.question).length > 0 ? t("ownWords") : t("yourAnswer"));
  const give = (own: string) => props.onGiven(write(props.question, props.given, own));
  const isNumeric = () => props.question.type === "number" || props.question.type === "integer";
  const isLine = () => props.question.secret || isNumeric();
  return (
    <Show
      when={isLine()}
      fallback={
        <textarea
          rows={1}
          maxLength={MAX_ANSWER}
          placeholder={label()}
          aria-label={label()}
          aria-required={props.needed}
          value={props.given.own}
          onInput={(event) => give(event.currentTarget.value)}
        />
      }
    >
      <input
        type={props.question.secret ? "password" : "text"}
        inputmode={isNumeric() ? (props.question.type === "integer" ? "numeric" : "decimal") : undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={MAX_ANSWER}
        placeholder={label()}
        aria-label={label()}
        aria-required={props.needed}
        value={props.given.own}
        onInput={(event) => give(event.currentTarget.value)}
      />
    </Show>
  );
}
