// One entry of the palette, pointed at by the field that keeps the focus.
import { Show } from "solid-js";
import { Marked } from "../frame/marked";
import { StatusDot } from "../frame/session/status_dot";
import { Icon } from "../icons/icon";
import { visible } from "../text/visible";
import type { PaletteEntry } from "./groups";

interface OptionProps {
  entry: PaletteEntry;
  id: string;
  words: readonly string[];
  isChosen: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

export function Option(props: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which points here
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      id={props.id}
      role="option"
      class={`palette-option palette-${props.entry.kind}`}
      classList={{ "palette-chosen": props.isChosen }}
      aria-selected={props.isChosen}
      onPointerMove={() => !props.isChosen && props.onPoint()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => props.onChoose()}
    >
      <Show when={props.entry.card} fallback={<Icon name={props.entry.icon ?? "right"} />}>
        {(card) => <StatusDot status={card().status} outcome={card().outcome} />}
      </Show>
      <span class="palette-label">
        <Marked text={props.entry.label} words={props.words} />
      </span>
      <span class="palette-note">{visible(props.entry.note)}</span>
      <Show when={props.entry.stroke}>{(stroke) => <kbd>{stroke()}</kbd>}</Show>
    </div>
  );
}
