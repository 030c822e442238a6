// The part of a card that scrolls, and below it how much is out of view. A stop for the keyboard only while it scrolls.
import {
  createContext,
  createMemo,
  createSignal,
  type JSX,
  onCleanup,
  onMount,
  Show,
  useContext,
} from "solid-js";
import { t } from "../texts";
import type { ReadingProgress } from "./reading";
import "../asks.css";

const Scroller = createContext<() => HTMLElement | undefined>(() => undefined);

/// What scrolls around a part of a card: a long part has no scrollbar of its own.
export function useScroller(): () => HTMLElement | undefined {
  return useContext(Scroller);
}

export function ScrollBody(props: {
  labelledBy: string;
  reading: ReadingProgress;
  /// A diff elsewhere that has to be read, too.
  beside?: () => Element | null;
  children: JSX.Element;
}): JSX.Element {
  const [scrolls, setScrolls] = createSignal(false);
  const isLeft = () => props.reading.left() > 0;
  // The line stays once it was needed: without it, what is above would move under the pointer.
  const isLong = createMemo((was: boolean) => was || isLeft(), false);
  let body!: HTMLDivElement;
  let end!: HTMLDivElement;
  onMount(() => {
    const look = () => setScrolls(body.scrollHeight > body.clientHeight + 1);
    const watch = new ResizeObserver(look);
    watch.observe(body);
    for (const part of body.children) watch.observe(part);
    onCleanup(() => watch.disconnect());
    props.reading.watch(body, end, props.beside);
  });
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={body}
        class="asks-body"
        role="group"
        aria-labelledby={props.labelledBy}
        tabindex={scrolls() ? 0 : undefined}
      >
        <Scroller.Provider value={() => body}>{props.children}</Scroller.Provider>
        <div ref={end} class="asks-end" />
      </div>
      <Show when={isLong()}>
        <div class="asks-more" data-left={isLeft() ? "" : undefined}>
          <Show when={isLeft()} fallback={<span class="asks-dim">{t("endShown")}</span>}>
            <button type="button" class="plain" onClick={() => props.reading.readOn()}>
              {sayMore(props.reading.left())}
            </button>
          </Show>
          <span role="status">{isLeft() && props.reading.isHasty() ? t("readAll") : ""}</span>
        </div>
      </Show>
    </>
  );
}

function sayMore(n: number): string {
  return `${n === 1 ? t("moreLine") : t("moreLines", { n: n.toLocaleString() })} ↓`;
}
