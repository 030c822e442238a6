// Whether the log is being searched, and the way to a block: opened, scrolled to, its words marked.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { groupKey } from "../../blocks/tools/tool_group";
import { isTyping } from "../../frame/shortcuts";
import type { Mirror, Room } from "../../state/room";
import { findItem, type Item } from "../items";
import { highlight, markAll } from "./highlight";

const FRAMES = 40; // a list makes its rows late
const OUTLINED_MS = 4_000; // long enough to be seen after the eyes have left the search

export interface Finding {
  isOpen: Accessor<boolean>;
  close(): void;
  /// Goes to a block and marks the words in it, one of the places more than the others; no block takes the marks away.
  show(id: string | undefined, words: readonly string[], nth?: number): void;
  /// The same for who comes from elsewhere: the block is outlined for a while.
  point(id: string, words: readonly string[]): void;
  /// The block that a reader looks at.
  middle(): string | undefined;
}

export interface FindDirection {
  scroller: Accessor<HTMLElement | undefined>;
  items: Accessor<readonly Item[]>;
  scrollTo: (place: number) => void;
  /// Stays where it is in that item, whatever is measured meanwhile: the way to it ends here.
  stayAt: (place: number) => void;
}

export function createFinding(room: Room, mirror: Mirror, way: FindDirection): Finding {
  const [isOpen, setOpen] = createSignal(false);
  const outline = createOutline();
  const marks = createMarks(way.scroller);
  let frame = 0;
  const mark = (
    id: string,
    words: readonly string[],
    isOutlined: boolean,
    nth: number,
    left: number,
  ): void => {
    const block = way.scroller()?.querySelector(`[data-block="${CSS.escape(id)}"]`) ?? undefined;
    if (block && isOutlined) outline(block);
    const found = block && highlight(block, words, nth);
    marks.show(words);
    if (left > 0 && !(found || (block && words.length === 0))) {
      frame = requestAnimationFrame(() => mark(id, words, isOutlined, nth, left - 1));
      return;
    }
    const element = found?.startContainer.parentElement ?? block;
    element?.scrollIntoView({ block: isOutlined ? "center" : "nearest" });
    if (!found) return;
    bringIntoView(found, way.scroller());
    way.stayAt(findItem(way.items(), id));
  };
  const go = (id: string | undefined, words: readonly string[], isOutlined: boolean, nth = 0) => {
    cancelAnimationFrame(frame);
    outline(undefined);
    highlight(null, []);
    marks.show(id ? words : []);
    if (!id) return;
    const place = findItem(way.items(), id);
    const item = way.items()[place];
    if (!item) return;
    if (item.kind === "group") room.setOpen(mirror.id, groupKey(item.ids), true);
    if (words.length > 0) room.setOpen(mirror.id, id, true);
    way.scrollTo(place);
    mark(id, words, isOutlined, nth, FRAMES);
  };
  // The browser's own search sees only what is drawn; asked twice, it still comes.
  const onKeyDown = (event: KeyboardEvent) => {
    const isFind = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isFind || event.shiftKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const target = event.target as Element;
    if (isOpen() && isTyping(target) && target.closest("search")) return;
    event.preventDefault();
    if (isOpen()) way.scroller()?.parentElement?.querySelector<HTMLElement>("search input")?.focus();
    else setOpen(true);
  };
  document.addEventListener("keydown", onKeyDown);
  onCleanup(() => {
    cancelAnimationFrame(frame);
    highlight(null, []);
    marks.show([]);
    document.removeEventListener("keydown", onKeyDown);
  });
  return {
    isOpen,
    close: () => setOpen(false),
    show: (id, words, nth) => go(id, words, false, nth),
    point: (id, words) => go(id, words, true),
    middle: () => findMiddle(way.scroller()),
  };
}

/// The block that a reader looks at.
function findMiddle(scroller: HTMLElement | undefined): string | undefined {
  if (!scroller) return undefined;
  const box = scroller.getBoundingClientRect();
  const middle = box.top + box.height / 2;
  const blocks = [...scroller.querySelectorAll<HTMLElement>("[data-block]")];
  const far = (block: HTMLElement) => {
    const { top, bottom } = block.getBoundingClientRect();
    return Math.max(top - middle, middle - bottom, 0);
  };
  const nearest = blocks.reduce<HTMLElement | undefined>(
    (best, block) => (best && far(best) <= far(block) ? best : block),
    undefined,
  );
  return nearest?.dataset.block;
}

/// Every place that is drawn, also in what is drawn later.
function createMarks(scroller: Accessor<HTMLElement | undefined>): { show(words: readonly string[]): void } {
  let words: readonly string[] = [];
  let frame = 0;
  const repaint = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => markAll(scroller(), words));
  };
  const parts = new MutationObserver(repaint);
  onCleanup(() => {
    parts.disconnect();
    cancelAnimationFrame(frame);
    markAll(undefined, []);
  });
  return {
    show(now) {
      if (now.join("\n") === words.join("\n")) return;
      words = now;
      const root = scroller();
      parts.disconnect();
      if (root && now.length > 0) parts.observe(root, { childList: true, subtree: true });
      repaint();
    },
  };
}

/// Within what is longer than the view, and within what scrolls by itself.
function bringIntoView(found: Range, scroller: Element | undefined): void {
  for (let box = found.startContainer.parentElement; box; box = box.parentElement) {
    const [spot, frame] = [found.getBoundingClientRect(), box.getBoundingClientRect()];
    if (spot.top < frame.top || spot.bottom > frame.bottom)
      box.scrollTop += spot.top - frame.top - frame.height / 2;
    if (box === scroller) return;
  }
}

/// One block at a time, for a while.
function createOutline(): (block: Element | undefined) => void {
  let outlined: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const outline = (block: Element | undefined) => {
    if (block && block === outlined) return;
    clearTimeout(timer);
    outlined?.removeAttribute("data-found");
    outlined = block;
    if (!block) return;
    block.setAttribute("data-found", "");
    timer = setTimeout(() => outline(undefined), OUTLINED_MS);
  };
  onCleanup(() => outline(undefined));
  return outline;
}
