// The input while a person types: the word under the caret, the popup, the walk through the history.
import { type Accessor, createEffect, createMemo, createSignal, on, untrack } from "solid-js";
import type { Room } from "../../state/room";
import { makeSuggestions, type Suggestions } from "../suggestions/suggestions";
import { type Edited, findToken, replaceToken, type Token } from "../suggestions/token";
import { type Walk, walkBack, walkForth } from "./history";

export interface PromptTyping {
  suggestions: Suggestions;
  /// Whether the popup is shown.
  popup: Accessor<boolean>;
  chosen: Accessor<number>;
  point(at: number): void;
  choose(at: number): void;
  closePopup(): void;
  /// False where there is nowhere to go, so that the caret may move.
  walk(by: -1 | 1): boolean;
  /// The person changed the text.
  onInput(): void;
  /// The caret may have moved.
  onCaret(): void;
  onFocus(has: boolean): void;
  /// Puts a text into the input and the draft.
  put(edited: Edited): void;
}

export function makeTyping(
  room: Room,
  session: Accessor<string>,
  input: Accessor<HTMLTextAreaElement | undefined>,
): PromptTyping {
  const [caret, setCaret] = createSignal(0);
  const [focused, setFocused] = createSignal(false);
  const [closed, setClosed] = createSignal<Token>(); // by Escape, or by a choice
  const [chosen, setChosen] = createSignal(0);
  const settled = new Set<string>(); // words that were chosen: they are complete
  let walked: Walk | undefined;

  const text = () => room.draft(session()).text;
  const token = createMemo(() => (focused() ? findToken(text(), caret()) : undefined), undefined, {
    equals: sameToken,
  });
  const open = createMemo(() => {
    const word = token();
    return word && !isClosed(word, closed()) && !settled.has(word.text) ? word : undefined;
  });
  const suggestions = makeSuggestions(room, session, open);
  const popup = () => suggestions.list().length > 0;

  createEffect(on(suggestions.list, () => setChosen(0)));
  createEffect(() => {
    if (!token()) setClosed(undefined);
  });
  createEffect(
    on(session, () => {
      walked = undefined;
      settled.clear();
      setClosed(undefined);
    }),
  );

  function onCaret(): void {
    const field = input();
    if (field) setCaret(field.selectionStart === field.selectionEnd ? field.selectionStart : 0);
  }

  function put(edited: Edited): void {
    const field = input();
    room.setDraft(session(), { text: edited.text });
    if (!field) return;
    if (field.value !== edited.text) field.value = edited.text;
    field.setSelectionRange(edited.caret, edited.caret);
    setCaret(edited.caret);
  }

  function choose(at: number): void {
    const word = untrack(open);
    const one = suggestions.list()[at];
    if (!word || !one) return;
    settled.add(one.text);
    walked = undefined;
    put(replaceToken(text(), word, one.text));
    setClosed(findToken(text(), caret()));
    input()?.focus();
  }

  function walk(by: -1 | 1): boolean {
    const sent = room.sent(session());
    const step = by < 0 ? walkBack(walked, sent, text()) : walkForth(walked, sent);
    if (!step) return false;
    walked = step.walk;
    put({ text: step.text, caret: 0 });
    return true;
  }

  return {
    suggestions,
    popup,
    chosen,
    point: (at) => {
      const count = suggestions.list().length;
      if (count > 0) setChosen((at + count) % count);
    },
    choose,
    closePopup: () => setClosed(token()),
    walk,
    onInput: () => {
      walked = undefined; // what is changed is a draft of its own
      room.setDraft(session(), { text: input()?.value ?? "" });
      onCaret();
    },
    onCaret,
    onFocus: setFocused,
    put,
  };
}

function sameToken(a: Token | undefined, b: Token | undefined): boolean {
  return a?.kind === b?.kind && a?.start === b?.start && a?.text === b?.text;
}

/// Closed is the word at that place, however it goes on.
function isClosed(word: Token, closed: Token | undefined): boolean {
  return closed?.kind === word.kind && closed.start === word.start;
}
