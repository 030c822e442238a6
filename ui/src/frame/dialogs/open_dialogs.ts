// Where messages go: into the uppermost dialog, outside of which nothing is reached, or above a question.
import { type Accessor, createSignal, onCleanup, onMount, type Setter } from "solid-js";

const [dialogs, setDialogs] = createSignal<readonly HTMLElement[]>([]);
const [questions, setQuestions] = createSignal<readonly HTMLElement[]>([]);

export const topDialog: Accessor<HTMLElement | undefined> = () => dialogs().at(-1);

/// Undefined: over the page, where there is nothing to answer.
export const messagePlace: Accessor<HTMLElement | undefined> = () => topDialog() ?? questions().at(-1);

/// Counts an element among the open dialogs, as long as its component lives.
export function countAsOpen(element: () => HTMLElement): void {
  count(element, setDialogs);
}

/// The same for a place above a question: messages cover neither it nor its buttons.
export function keepMessagesHere(element: () => HTMLElement): void {
  count(element, setQuestions);
}

function count(element: () => HTMLElement, set: Setter<readonly HTMLElement[]>): void {
  onMount(() => set((all) => [...all, element()]));
  onCleanup(() => set((all) => all.filter((each) => each !== element())));
}
