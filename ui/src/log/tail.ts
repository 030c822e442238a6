// The tail of a log: who follows it, how much came since they left, and the way back.
import { type Accessor, createMemo, createSignal, onCleanup } from "solid-js";
import { distance, type LogView, NEAR, nextFollowing } from "./follow";
import { findGoal, type Goal } from "./keys";

const MEANT_MS = 600; // after a wheel, a finger or a key, a scroll is the reader's
const LEAVING_MS = 300; // a key's way up begins slowly: what grows meanwhile does not pull the reader back
const SETTLE_FRAMES = 3; // what is measured late moves the end again
const MOVING_KEYS = new Set(["ArrowUp", "PageUp", "Home", "ArrowDown", "PageDown", "End", " ", "Tab"]);
const UP_KEYS = new Set(["ArrowUp", "PageUp"]);

export class Tail {
  readonly isAway: Accessor<boolean>;
  readonly fresh: Accessor<number>;
  private readonly setAway: (away: boolean) => void;
  private readonly setLeftAt: (id: string | undefined) => void;
  private following = true;
  private held = false; // a button of the mouse is down: somebody drags or selects
  private selects = false; // asked of the browser when it changes: to ask in every frame costs a layout each
  private meantAt = Number.NEGATIVE_INFINITY;
  private leavingUntil = Number.NEGATIVE_INFINITY;
  private lastTop = 0;
  private seen: string | undefined; // the last block when the reader was at the end
  private frame = 0;
  private framesLeft = 0;
  private goal: Goal = "end";

  constructor(
    private readonly scroller: Accessor<HTMLElement | undefined>,
    private readonly ids: Accessor<readonly string[]>,
  ) {
    const [away, setAway] = createSignal(false);
    const [leftAt, setLeftAt] = createSignal<string>();
    this.isAway = away;
    this.setAway = setAway;
    this.setLeftAt = setLeftAt;
    this.fresh = createMemo(() => countAfter(ids(), leftAt()));
  }

  start(): void {
    const element = this.scroller();
    if (!element) return;
    const ending = new AbortController();
    const options = { passive: true, signal: ending.signal };
    const meant = () => {
      this.meantAt = performance.now();
    };
    element.addEventListener("wheel", meant, options);
    element.addEventListener("touchmove", meant, options);
    element.addEventListener("keydown", (event) => MOVING_KEYS.has(event.key) && meant(), options);
    element.addEventListener("keydown", (event) => UP_KEYS.has(event.key) && this.beginLeaving(), options);
    element.addEventListener("keydown", (event) => this.go(event), { signal: ending.signal });
    element.addEventListener("pointerdown", () => this.hold(true), options);
    window.addEventListener("pointerup", () => this.hold(false), options);
    window.addEventListener("pointercancel", () => this.hold(false), options);
    element.addEventListener("scroll", () => this.scrolled(), options);
    document.addEventListener("selectionchange", () => this.lookAtSelection(), options);
    const watch = new ResizeObserver(() => this.grew());
    watch.observe(element);
    onCleanup(() => {
      ending.abort();
      watch.disconnect();
      cancelAnimationFrame(this.frame);
    });
    this.grew();
  }

  /// Something came or changed its size: the end is elsewhere now.
  grew(): void {
    if (this.following && !this.isReading()) this.settle("end");
    else this.look();
  }

  /// Somewhere else is shown on purpose: what comes no longer moves it.
  leave(): void {
    this.following = false;
    this.look();
  }

  jump(): void {
    this.follow();
    this.scroller()?.focus({ preventScroll: true });
  }

  /// To the end, and on with it.
  follow(): void {
    this.following = true;
    this.leavingUntil = Number.NEGATIVE_INFINITY;
    document.getSelection()?.removeAllRanges(); // it would hold the place
    this.selects = false;
    this.settle("end");
  }

  /// At once: the browser's own way there is slow and ends early, because blocks are measured under it.
  private go(event: KeyboardEvent): void {
    const element = this.scroller();
    const goal = element && findGoal(event, element);
    if (!goal) return;
    event.preventDefault();
    this.following = goal === "end";
    this.leavingUntil = Number.NEGATIVE_INFINITY;
    this.settle(goal);
  }

  private hold(held: boolean): void {
    if (!held && !this.held) return; // a click elsewhere, such as on a tab, scrolls nothing here
    this.held = held;
    this.meantAt = performance.now();
    if (!held) this.grew();
  }

  private scrolled(): void {
    const view = this.view();
    if (!view) return;
    const meant = this.held || performance.now() - this.meantAt < MEANT_MS;
    // What moves by itself on the way to the end is the list being measured.
    if (meant || !this.frame) this.following = nextFollowing(this.following, this.lastTop, view, meant);
    this.lastTop = view.top;
    if (meant) this.look();
    else this.grew(); // the list was measured, and the end is elsewhere now
  }

  /// There, and there again for a few frames while blocks are still being measured. The list's own way to a block
  /// goes on for longer and would pull along a reader who has begun to select.
  private settle(goal: Goal): void {
    this.goal = goal;
    this.framesLeft = SETTLE_FRAMES;
    if (!this.frame) this.step();
  }

  private step(): void {
    this.frame = 0;
    const element = this.scroller();
    if (!element || (this.goal === "end" && (!this.following || this.isReading()))) return this.look();
    const top = this.goal === "end" ? element.scrollHeight - element.clientHeight : 0;
    if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    this.look();
    if (this.framesLeft-- > 0) this.frame = requestAnimationFrame(() => this.step());
  }

  private look(): void {
    const view = this.view();
    const follows = this.following && !this.isReading();
    const away = view !== undefined && distance(view) > NEAR && !follows;
    if (follows) this.seen = this.ids().at(-1);
    if (away === this.isAway()) return;
    this.setLeftAt(away ? this.seen : undefined);
    this.setAway(away);
  }

  private beginLeaving(): void {
    this.leavingUntil = performance.now() + LEAVING_MS;
    setTimeout(() => this.grew(), LEAVING_MS + 1); // there was no way up
  }

  /// Who holds the mouse down, has something selected or is on the way up does not want the text to move.
  private isReading(): boolean {
    return this.held || this.selects || performance.now() < this.leavingUntil;
  }

  private lookAtSelection(): void {
    const selection = document.getSelection();
    const within = this.scroller()?.contains(selection?.anchorNode ?? null) ?? false;
    this.selects = within && selection !== null && !selection.isCollapsed;
  }

  private view(): LogView | undefined {
    const element = this.scroller();
    return element && { top: element.scrollTop, height: element.clientHeight, whole: element.scrollHeight };
  }
}

function countAfter(ids: readonly string[], id: string | undefined): number {
  if (id === undefined) return 0;
  const at = ids.lastIndexOf(id);
  return at < 0 ? 0 : ids.length - 1 - at;
}
