// The log: a session's blocks, of which only those in sight are made, following the tail until the reader goes up.
import {
  createEffect,
  createMemo,
  createSignal,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
  untrack,
} from "solid-js";
import { Virtualizer } from "virtua/solid";
import { BlockView } from "../blocks/block";
import type { Mirror } from "../state/room";
import { Announcer } from "./announcer";
import { Column } from "./column";
import { Earlier } from "./earlier";
import { createHeld, placesOf } from "./kept";
import { findSteps } from "./steps";
import { Tail } from "./tail";
import { t } from "./texts";
import "./log.css";

const AHEAD = 600; // pixels that are made before they come into sight

/// Rebuilt when another session is shown, and only then.
export function Log(props: { mirror: Mirror }): JSX.Element {
  const id = createMemo(() => props.mirror.id);
  return (
    <Show when={id()} keyed>
      {(_) => <Blocks mirror={props.mirror} />}
    </Show>
  );
}

function Blocks(props: { mirror: Mirror }): JSX.Element {
  const [scroller, setScroller] = createSignal<HTMLElement>();
  const [above, setAbove] = createSignal(0);
  const shown = createShown(() => props.mirror.order());
  const held = createHeld(scroller);
  const kept = createMemo(() => placesOf(held(), shown().ids));
  const tail = new Tail(scroller, () => shown().ids);
  let top: HTMLDivElement | undefined;

  onMount(() => {
    tail.start();
    const watch = new ResizeObserver(() => setAbove(top?.offsetHeight ?? 0));
    if (top) watch.observe(top);
    onCleanup(() => watch.disconnect());
  });
  createEffect(on(shown, () => tail.grew(), { defer: true }));

  return (
    <div class="log">
      <div
        class="log-scroller"
        ref={setScroller}
        role="log"
        aria-live="off"
        aria-label={t("log")}
        tabindex="0"
      >
        <div class="log-top" ref={top}>
          <Earlier mirror={props.mirror} />
        </div>
        <Show when={shown().ids.length > 0} fallback={<Empty />}>
          <Virtualizer
            as={Column}
            data={shown().ids}
            shift={shown().atFront}
            keepMounted={kept()}
            startMargin={above()}
            scrollRef={scroller()}
            bufferSize={AHEAD}
            onResize={() => tail.grew()}
          >
            {(id) => <BlockView mirror={props.mirror} id={id} />}
          </Virtualizer>
        </Show>
      </div>
      <Show when={tail.isAway()}>
        <button type="button" class="log-jump" onClick={() => tail.jump()}>
          <span aria-hidden="true">↓</span> {t("jump")}{" "}
          <Show when={tail.fresh() > 0}>
            <span class="log-fresh">
              {tail.fresh() === 1 ? t("fresh_one") : t("fresh", { count: tail.fresh() })}
            </span>
          </Show>
        </button>
      </Show>
      <Announcer mirror={props.mirror} />
    </div>
  );
}

/// The blocks as the list is given them: one end at a time.
function createShown(order: () => readonly string[]) {
  const [shown, setShown] = createSignal({ ids: untrack(order), atFront: false });
  const advance = () => {
    const [step, ...rest] = findSteps(untrack(shown).ids, untrack(order));
    if (step) setShown(step);
    if (rest.length > 0) queueMicrotask(advance); // after the list has taken the first in
  };
  createEffect(on(order, advance, { defer: true }));
  return shown;
}

function Empty(): JSX.Element {
  return (
    <div class="log-empty">
      <p>{t("empty")}</p>
      <p>{t("emptyHint")}</p>
    </div>
  );
}
