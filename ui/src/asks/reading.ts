// How much of a question is still out of view: a yes counts once its end has been in view.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { SETTLE_MS } from "../frame/guard";

export interface Reading {
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
  /// Something else is asked now.
  reset(): void;
  /// To be called once both are in the document.
  watch(body: HTMLElement, end: HTMLElement): void;
}

const LINES = "pre, .diff-row"; // what gives a line its height
const SLACK = 2; // pixels: browsers round

export function createReading(now: () => number = () => performance.now()): Reading {
  const [left, setLeft] = createSignal(0);
  const [isHasty, setHasty] = createSignal(false);
  let seenTo = -1; // height of what scrolls, when its end was in view
  let movedAtMs = Number.NEGATIVE_INFINITY;
  let body: HTMLElement | undefined;
  let end: HTMLElement | undefined;

  function look(): void {
    if (!body || !end) return;
    if (isInView(end)) seenTo = body.scrollHeight;
    setLeft(isInView(end) ? 0 : Math.ceil(Math.max(below(body) - SLACK, 0) / lineOf(body)));
  }

  function readOn(): void {
    if (!body || !end) return;
    movedAtMs = now();
    if (below(body) <= SLACK) return end.scrollIntoView({ block: "nearest" });
    body.scrollIntoView({ block: "nearest" });
    body.scrollBy({ top: Math.max(body.clientHeight - 2 * lineOf(body), lineOf(body)), behavior: "instant" });
  }

  return {
    left,
    isHasty,
    isRead() {
      look();
      const isLoading = body?.querySelector("[data-loading]") != null;
      const isAll = body !== undefined && seenTo >= body.scrollHeight - SLACK;
      return isAll && !isLoading && now() - movedAtMs >= SETTLE_MS;
    },
    readOn,
    holdBack() {
      setHasty(true);
      if (now() - movedAtMs >= SETTLE_MS) readOn(); // a double click is one step
    },
    reset() {
      seenTo = -1;
      setHasty(false);
      look();
    },
    watch(scrolls, last) {
      body = scrolls;
      end = last;
      const sizes = new ResizeObserver(look);
      const follow = () => {
        for (const one of [scrolls, ...scrolls.children]) sizes.observe(one);
        look();
      };
      const parts = new MutationObserver(follow);
      parts.observe(scrolls, { childList: true, subtree: true });
      document.addEventListener("scroll", look, { capture: true, passive: true });
      follow();
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

/// Whether its lower edge is inside of everything that cuts it off.
function isInView(element: HTMLElement): boolean {
  const { bottom } = element.getBoundingClientRect();
  if (bottom > window.innerHeight + SLACK || bottom < -SLACK) return false;
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    if (getComputedStyle(outer).overflowY === "visible") continue;
    const box = outer.getBoundingClientRect();
    if (bottom > box.bottom + SLACK || bottom < box.top - SLACK) return false;
  }
  return true;
}
