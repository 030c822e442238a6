// The rows of a diff, of which only those in sight are there; they scroll by themselves, or with what is around them.
import { createSignal, type JSX, onCleanup, onMount } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { never } from "../../never";
import type { createCursor } from "../cursor";
import { takesFocus } from "../focus";
import { t } from "../texts";
import type { DiffChoices } from "../view";
import { FileHead, HunkHead, Note } from "./head_row";
import { SplitRow, UnifiedRow } from "./line_row";
import type { DiffRow } from "./rows";

const ROW_HEIGHT = 20; // as diff.css has it

interface RowListProps {
  rows: readonly DiffRow[];
  view: DiffChoices;
  cursor: ReturnType<typeof createCursor>;
  takesFocus: boolean;
  scroller: HTMLElement | undefined;
  onHandle: (handle: VirtualizerHandle | undefined) => void;
  onScroll: (y: number) => void;
}

export function RowList(props: RowListProps) {
  const [startMargin, setStartMargin] = createSignal(0);
  let list!: HTMLElement;
  onMount(() => {
    const outer = props.scroller;
    if (outer) onCleanup(watchPlace(outer, list, setStartMargin));
  });
  return (
    <section
      ref={(element) => {
        list = element;
        if (props.takesFocus) takesFocus(element);
      }}
      class="diff-scroll"
      classList={{ "diff-unscrolled": props.scroller !== undefined }}
      aria-label={t("name")}
      tabindex="0"
      onKeyDown={props.cursor.onKey}
      onClick={(event) => props.cursor.put(indexOf(event.target))}
    >
      <Virtualizer
        ref={props.onHandle}
        data={props.rows}
        itemSize={ROW_HEIGHT}
        scrollRef={props.scroller}
        startMargin={startMargin()}
        onScroll={props.onScroll}
      >
        {(row, index) => (
          <div
            class="diff-row"
            classList={{ "diff-cursor": props.cursor.at() === index() }}
            data-index={index()}
          >
            {rowView(row, props.view)}
          </div>
        )}
      </Virtualizer>
    </section>
  );
}

/// How far a list begins below the top of what scrolls around it; it changes with what is above the list.
function watchPlace(outer: HTMLElement, list: HTMLElement, tell: (margin: number) => void): () => void {
  const look = () =>
    tell(list.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop);
  const observer = new ResizeObserver(look);
  for (const part of [outer, ...outer.children]) observer.observe(part);
  look();
  return () => observer.disconnect();
}

function rowView(row: DiffRow, view: DiffChoices): JSX.Element {
  switch (row.kind) {
    case "file":
      return <FileHead row={row} view={view} />;
    case "hunk":
      return <HunkHead row={row} view={view} />;
    case "note":
      return <Note row={row} />;
    case "line":
      return <UnifiedRow row={row} view={view} />;
    case "pair":
      return <SplitRow row={row} view={view} />;
    default:
      return never(row);
  }
}

function indexOf(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest<HTMLElement>(".diff-row") : null;
  return Number(row?.dataset.index ?? -1);
}
