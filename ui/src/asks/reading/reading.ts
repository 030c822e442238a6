// How much of a question is still out of view: a yes counts once its end has been in view.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { SETTLE_MS } from "../../frame/dialogs/guard";
import { isEndInView } from "./in_view";

export interface ReadingProgress {
  /// Lines below what is in view, as they are drawn.
  left: Accessor<number>;
  /// Somebody wanted to answer before the end.
  isHasty: Accessor<boolean>;
  /// Whether all of it has been in view, and for long enough.
  isRead(): boolean;
  /// One page further, as a pager does.
  readOn(): void;
  /// The same for an answer that came before the end, and says so.
  holdBack(): void;
  /// The card that was out of view; an answer by key counts only once it has been there for a moment.
  bringIn(card: HTMLElement): void;
  /// Something else is asked now.
  reset(): void;
  /// To be called once both are in the document; `beside` holds a diff that the question is about, too.
  watch(body: HTMLElement, end: HTMLElement, beside?: () => Element | null): void;
}

const LINES = "pre, .diff-row"; // what gives a line its height
const INNER = ".diff-scroll"; // a diff beside the question scrolls by itself
const UNREAD = "[data-loading], [data-unread]"; // not there yet, or too long to be drawn
const SLACK = 2; // pixels: browsers round

export function createReading(now: () => number = () => performance.now()): ReadingProgress {
  const [left, setLeft] = createSignal(0);
  const [isHasty, setHasty] = createSignal(false);
  let seenTo = new WeakMap<Element, number>(); // height of what scrolls, when its end was in view
  let movedAtMs = Number.NEGATIVE_INFINITY;
  let body: HTMLElement | undefined;
  let end: HTMLElement | undefined;
  let findBeside: () => Element | null = () => null;

  const inner = () =>
    [body, findBeside()].flatMap((part) => [...(part?.querySelectorAll<HTMLElement>(INNER) ?? [])]);
  const isSeen = (scroller: HTMLElement) => (seenTo.get(scroller) ?? -1) >= scroller.scrollHeight - SLACK;
  const note = (scroller: HTMLElement) => seenTo.set(scroller, scroller.scrollHeight);

  function look(): void {
    if (!body || !end) return;
    for (const one of inner()) if (below(one) <= SLACK && isEndInView(one)) note(one);
    if (isEndInView(end)) note(body);
    const hidden = [...(isEndInView(end) ? [] : [body]), ...inner()];
    setLeft(hidden.reduce((sum, one) => sum + Math.ceil(Math.max(below(one) - SLACK, 0) / lineOf(one)), 0));
  }

  function readOn(): void {
    if (!body || !end) return;
    movedAtMs = now();
    const next = [body, ...inner()].find((one) => below(one) > SLACK && !isSeen(one));
    if (next === undefined) return end.scrollIntoView({ block: "nearest" });
    next.scrollIntoView({ block: "nearest" });
    next.scrollBy({ top: Math.max(next.clientHeight - 2 * lineOf(next), lineOf(next)), behavior: "instant" });
  }

  return {
    left,
    isHasty,
    isRead() {
      look();
      const isOpen = [body, findBeside()].some((part) => part?.querySelector(UNREAD) != null);
      const isAll = body !== undefined && [body, ...inner()].every(isSeen);
      return isAll && !isOpen && now() - movedAtMs >= SETTLE_MS;
    },
    readOn,
    holdBack() {
      setHasty(true);
      if (now() - movedAtMs >= SETTLE_MS) readOn(); // a double click is one step
    },
    bringIn(card) {
      movedAtMs = now();
      card.scrollIntoView({ block: "nearest", behavior: "instant" });
      card.focus({ preventScroll: true });
    },
    reset() {
      seenTo = new WeakMap();
      setHasty(false);
      look();
    },
    watch(scrolls, last, beside = () => null) {
      body = scrolls;
      end = last;
      findBeside = beside;
      const sizes = new ResizeObserver(look);
      const follow = () => {
        for (const one of [scrolls, ...scrolls.children, ...inner()]) sizes.observe(one);
        look();
      };
      const parts = new MutationObserver(follow);
      parts.observe(scrolls, { childList: true, subtree: true });
      document.addEventListener("scroll", look, { capture: true, passive: true });
      follow();
      queueMicrotask(() => {
        const diff = beside(); // drawn in the same turn as the question
        if (!diff || !scrolls.isConnected) return;
        parts.observe(diff, { childList: true, subtree: true });
        follow();
      });
      onCleanup(() => {
        sizes.disconnect();
        parts.disconnect();
        document.removeEventListener("scroll", look, { capture: true });
      });
    },
  };
}

function below(scroller: HTMLElement): number {
  return Math.max(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop, 0);
}

function lineOf(scroller: HTMLElement): number {
  const line = scroller.querySelector<HTMLElement>(LINES) ?? scroller;
  return Number.parseFloat(getComputedStyle(line).lineHeight) || 20;
}
