// What a screen reader announces: finished answers and errors, not every streamed word.
import { createEffect, createSignal, type JSX, on } from "solid-js";
import type { Block } from "../model.gen";
import type { Mirror } from "../state/room";
import { shorten } from "../text/visible";
import { t } from "./texts";

const MAX_SAID = 300;
const LOOKED_AT = 3; // blocks at the tail

export function Announcer(props: { mirror: Mirror }): JSX.Element {
  const [said, say] = createSignal("");
  const tail = () => props.mirror.order().slice(-LOOKED_AT);
  const announced = new Set<string>();
  createEffect(
    on(
      () => tail().map((id) => props.mirror.block(id)),
      (blocks, before) => {
        for (const block of blocks) {
          const text = block && wordsOf(block);
          if (!block || !text || announced.has(block.id)) continue;
          announced.add(block.id);
          if (before) say(text); // what was there at the start is read, not announced
        }
      },
    ),
  );
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said()}
    </div>
  );
}

function wordsOf(block: Block): string | undefined {
  if (block.kind === "error") return t("erred", { text: shorten(block.title, MAX_SAID) });
  if (block.kind !== "assistant" || block.status !== "completed" || !block.text) return undefined;
  return t("said", { text: shorten(block.text, MAX_SAID) });
}
