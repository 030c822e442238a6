// Answers to an Ask: which choice a plain yes or no means, and what the fields of a form add up to.
import type { Choice, Option, Question, QuestionsSubject } from "../../model.gen";

export const MAX_ANSWER = 100_000; // characters
export const MAX_REASON = 10_000;

/// What a person has put into one question so far.
export interface Given {
  picked: readonly string[];
  own: string;
}

export const NOTHING: Given = { picked: [], own: "" };

/// Before a person has put anything into it.
export function beginningOf(question: Question | undefined): Given {
  return question?.default ? { picked: [], own: question.default } : NOTHING;
}

export type Problem = "required" | "number" | "integer";

/// A yes to this Ask only; a plain yes never means one that lasts longer.
export function findYes(choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice.grants && !choice.rule);
}

/// The mildest no that the agent takes.
export function findNo(choices: readonly Choice[]): Choice | undefined {
  const noes = choices.filter((choice) => !choice.grants);
  const named = (id: string) => noes.find((choice) => choice.id === id);
  return named("decline") ?? named("cancel") ?? noes.find((choice) => !choice.rule);
}

export function optionsOf(question: Question): readonly Option[] {
  const options = question.options ?? [];
  if (options.length > 0 || question.type !== "boolean") return options;
  return [{ label: "yes" }, { label: "no" }];
}

export function takesOwnWords(question: Question): boolean {
  return optionsOf(question).length === 0 || (question.free_text ?? false);
}

/// One of several options, or as many as one likes; where only one counts, own words take its place.
export function pick(question: Question, given: Given, label: string): Given {
  if (!question.several) return { picked: [label], own: "" };
  const has = given.picked.includes(label);
  return { ...given, picked: has ? given.picked.filter((one) => one !== label) : [...given.picked, label] };
}

export function write(question: Question, given: Given, own: string): Given {
  return { picked: question.several || !own ? given.picked : [], own };
}

export function valuesOf(question: Question, given: Given): string[] {
  const own = question.secret ? given.own : given.own.trim(); // a password may begin with a blank
  return [...given.picked, ...(takesOwnWords(question) && own ? [own] : [])];
}

/// An agent waits for its answer; a server's form may have fields to leave empty.
export function isNeeded(subject: QuestionsSubject, question: Question): boolean {
  return (question.required ?? false) || !subject.server;
}

export function findProblem(
  subject: QuestionsSubject,
  question: Question,
  given: Given,
): Problem | undefined {
  const values = valuesOf(question, given);
  if (values.length === 0) return isNeeded(subject, question) ? "required" : undefined;
  const written = given.picked.length === 0 ? values : [];
  if (question.type === "integer" && !written.every((value) => /^[+-]?\d+$/.test(value))) return "integer";
  if (question.type === "number" && !written.every(isNumber)) return "number";
  return undefined;
}

function isNumber(value: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
}

/// By question id, without those that were left empty.
export function collect(subject: QuestionsSubject, given: (id: string) => Given): Record<string, string[]> {
  const answered = subject.questions.map(
    (question) => [question.id, valuesOf(question, given(question.id))] as const,
  );
  return Object.fromEntries(answered.filter(([, values]) => values.length > 0));
}

/// Only these are opened for a person.
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
