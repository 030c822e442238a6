// Lines of a text with their numbers, any number of them, in their colours.
import { type Accessor, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { takesFocus } from "../diff/focus";
import { Cut } from "../diff/rows/line_row";
import { Painter, PIECE } from "../diff/rows/painter";
import type { Span } from "../diff/rows/words";
import { languageOf } from "../text/code/colours";
import { visible } from "../text/visible";
import type { FileLine } from "./lines";
import { t } from "./texts";
import "../diff/diff.css";
import "../text/text.css";
import "./files.css";

const ROW_HEIGHT = 20; // as files.css has it

interface LineListProps {
  path: string;
  lines: readonly FileLine[];
  ref?: (handle: VirtualizerHandle | undefined) => void;
  onScroll?: (offset: number) => void;
  /// Parts of a line that stand out.
  marks?: (line: number) => readonly Span[];
  isPicked?: (line: number) => boolean;
  onPick?: (line: number, extends_: boolean) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function LineList(props: LineListProps) {
  const painter = new Painter();
  const owner = {}; // all lines are of one text
  const runs = (line: FileLine, at: number) => {
    const piece = Math.floor(at / PIECE);
    // The last piece may yet grow: its length is part of what it is called.
    const size = Math.min(props.lines.length - piece * PIECE, PIECE);
    return painter.find(line, owner, piece * (PIECE + 1) + size, languageOf(props.path), () => [
      props.lines.slice(piece * PIECE, (piece + 1) * PIECE),
    ]);
  };
  return (
    <section
      ref={takesFocus}
      class="files-scroll"
      aria-label={t("content", { path: visible(props.path) })}
      tabindex="0"
      onKeyDown={(event) => props.onKeyDown?.(event)}
    >
      <Virtualizer
        ref={(handle) => props.ref?.(handle)}
        data={props.lines}
        itemSize={ROW_HEIGHT}
        onScroll={(offset) => props.onScroll?.(offset)}
      >
        {(line, at) => (
          <div class="files-line" classList={{ "files-picked": props.isPicked?.(at()) }}>
            <Numbered at={at} onPick={props.onPick} />
            <span class="diff-code">
              <Cut text={line.text} runs={runs(line, at())} words={props.marks?.(at()) ?? []} />
            </span>
          </div>
        )}
      </Virtualizer>
    </section>
  );
}

function Numbered(props: { at: Accessor<number>; onPick: LineListProps["onPick"] }) {
  const number = () => props.at() + 1;
  return (
    <Show when={props.onPick} fallback={<span class="files-number">{number()}</span>}>
      {(tell) => (
        <button
          type="button"
          class="files-number"
          tabindex="-1"
          aria-label={t("lineOf", { line: number() })}
          onMouseDown={(event) => event.shiftKey && event.preventDefault()}
          onClick={(event) => tell()(props.at(), event.shiftKey)}
        >
          {number()}
        </button>
      )}
    </Show>
  );
}
