// What a person has put into the questions of an Ask so far, and what is missing.
import { type Accessor, createSignal } from "solid-js";
import { createStore } from "solid-js/store";
import type { Question, QuestionsSubject } from "../../model.gen";
import { beginningOf, collect, findProblem, type Given, type Problem } from "./answers";

export interface Form {
  given(id: string): Given;
  give(id: string, now: Given): void;
  /// Shown once a person has tried to answer.
  problem(question: Question): Problem | undefined;
  /// Shows what is missing; false where something is.
  isComplete(): boolean;
  answers(): Record<string, string[]>;
}

export function createForm(questions: Accessor<QuestionsSubject | undefined>): Form {
  const [given, setGiven] = createStore<Record<string, Given>>({});
  const [tried, setTried] = createSignal(false);
  const givenTo = (id: string) =>
    given[slot(id)] ?? beginningOf(questions()?.questions.find((one) => one.id === id));
  const problem = (question: Question) => {
    const subject = questions();
    return subject && tried() ? findProblem(subject, question, givenTo(question.id)) : undefined;
  };
  return {
    given: givenTo,
    give: (id, now) => setGiven(slot(id), now),
    problem,
    isComplete() {
      setTried(true);
      return !questions()?.questions.some(problem);
    },
    answers() {
      const subject = questions();
      return subject ? collect(subject, givenTo) : {};
    },
  };
}

/// A server names its questions as it likes: `constructor` is no name of an object's own here.
function slot(question: string): string {
  return `/${question}`;
}
