// Whether the log is being searched, and the way to a block: opened, scrolled to, its words marked.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { groupKey } from "../blocks/tool_group";
import { isTyping } from "../frame/shortcuts";
import type { Mirror, Room } from "../state/room";
import { highlight } from "./highlight";
import { findItem, type Item } from "./items";

const FRAMES = 40; // a list makes its rows late
const OUTLINED_MS = 4_000; // long enough to be seen after the eyes have left the search

export interface Finding {
  isOpen: Accessor<boolean>;
  close(): void;
  /// Goes to a block and marks the words in it; no block takes the marks away.
  show(id: string | undefined, words: readonly string[]): void;
  /// The same for who comes from elsewhere: the block is outlined for a while.
  point(id: string, words: readonly string[]): void;
}

export interface Way {
  scroller: Accessor<HTMLElement | undefined>;
  items: Accessor<readonly Item[]>;
  scrollTo: (place: number) => void;
}

export function createFinding(room: Room, mirror: Mirror, way: Way): Finding {
  const [isOpen, setOpen] = createSignal(false);
  const outline = createOutline();
  let frame = 0;
  const mark = (id: string, words: readonly string[], isOutlined: boolean, left: number): void => {
    const block = way.scroller()?.querySelector(`[data-block="${CSS.escape(id)}"]`) ?? undefined;
    if (block && isOutlined) outline(block);
    const first = block && (words.length > 0 ? highlight(block, words) : block);
    if (!first && left > 0) {
      frame = requestAnimationFrame(() => mark(id, words, isOutlined, left - 1));
      return;
    }
    (first ?? block)?.scrollIntoView({ block: isOutlined ? "center" : "nearest" });
  };
  const go = (id: string | undefined, words: readonly string[], isOutlined: boolean) => {
    cancelAnimationFrame(frame);
    outline(undefined);
    highlight(null, []);
    if (!id) return;
    const place = findItem(way.items(), id);
    const item = way.items()[place];
    if (!item) return;
    if (item.kind === "group") room.setOpen(mirror.id, groupKey(item.ids), true);
    if (words.length > 0) room.setOpen(mirror.id, id, true);
    way.scrollTo(place);
    mark(id, words, isOutlined, FRAMES);
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
    document.removeEventListener("keydown", onKeyDown);
  });
  return {
    isOpen,
    close: () => setOpen(false),
    show: (id, words) => go(id, words, false),
    point: (id, words) => go(id, words, true),
  };
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
