// Whether the log is being searched, and the way to a block: opened, scrolled to, its words marked.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { groupKey } from "../blocks/tool_group";
import { isTyping } from "../frame/shortcuts";
import type { Mirror, Room } from "../state/room";
import { highlight } from "./highlight";
import { findItem, type Item } from "./items";

const FRAMES = 40; // a list makes its rows late

export interface Finding {
  isOpen: Accessor<boolean>;
  close(): void;
  /// False when there is no such block here.
  show(id: string | undefined, query: string): boolean;
}

export interface Way {
  scroller: Accessor<HTMLElement | undefined>;
  items: Accessor<readonly Item[]>;
  scrollTo: (place: number) => void;
}

export function createFinding(room: Room, mirror: Mirror, way: Way): Finding {
  const [isOpen, setOpen] = createSignal(false);
  let frame = 0;
  const mark = (id: string, query: string, left: number): void => {
    const block = way.scroller()?.querySelector(`[data-block="${CSS.escape(id)}"]`) ?? null;
    const isShown = query ? highlight(block, query) : block !== null;
    if (!isShown && left > 0) {
      frame = requestAnimationFrame(() => mark(id, query, left - 1));
      return;
    }
    block?.scrollIntoView({ block: query ? "nearest" : "center" });
    if (!query) block?.classList.add("log-target");
  };
  const show = (id: string | undefined, query: string) => {
    cancelAnimationFrame(frame);
    highlight(null, "");
    if (!id) return false;
    const place = findItem(way.items(), id);
    const item = way.items()[place];
    if (!item) return false;
    if (item.kind === "group") room.setOpen(mirror.id, groupKey(item.ids), true);
    if (query) room.setOpen(mirror.id, id, true);
    way.scrollTo(place);
    mark(id, query, FRAMES);
    return true;
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
    document.removeEventListener("keydown", onKeyDown);
  });
  return { isOpen, close: () => setOpen(false), show };
}
