// Plain text of any length: a first piece, and more when it is asked for.
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { createFramed } from "./frames";
import { GrowingLines } from "./growing";
import { t } from "./texts";
import "./text.css";

export const PLAIN_PIECE = 60_000; // characters that are laid out at once

export function Plain(props: { text: string; class?: string }): JSX.Element {
  const [pieces, setPieces] = createSignal(1);
  const text = createFramed(() => props.text);
  const shown = createMemo(() => text().slice(0, pieces() * PLAIN_PIECE));
  const left = () => text().length - shown().length;
  return (
    <>
      <pre class={`text-plain ${props.class ?? ""}`}>
        <GrowingLines text={shown()} />
      </pre>
      <Show when={left() > 0}>
        <button type="button" class="plain text-more" onClick={() => setPieces(pieces() + 1)}>
          {t("more", { count: Math.min(left(), PLAIN_PIECE).toLocaleString() })}
        </button>
      </Show>
    </>
  );
}
