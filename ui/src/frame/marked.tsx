// A line with the words that were looked for marked in it.
import { createMemo, For, type JSX } from "solid-js";
import { visible } from "../text/visible";
import "./marked.css";

interface Piece {
  text: string;
  isFound: boolean;
}

const MAX_WORDS = 10;

export function splitFound(text: string, words: readonly string[]): Piece[] {
  const sought = words.slice(0, MAX_WORDS).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (sought.length === 0) return [{ text, isFound: false }];
  sought.sort((a, b) => b.length - a.length); // the longer one where both begin
  return text
    .split(new RegExp(`(${sought.join("|")})`, "iu"))
    .map((piece, at) => ({ text: piece, isFound: at % 2 === 1 }))
    .filter((piece) => piece.text);
}

export function Marked(props: { text: string; words: readonly string[] }): JSX.Element {
  const pieces = createMemo(() => splitFound(visible(props.text), props.words));
  return (
    <For each={pieces()}>
      {(piece) => (piece.isFound ? <mark class="frame-mark">{piece.text}</mark> : piece.text)}
    </For>
  );
}
