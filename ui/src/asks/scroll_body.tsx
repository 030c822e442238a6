// The part of a card that scrolls: a stop for the keyboard only while there is something to scroll.
import { createSignal, type JSX, onCleanup, onMount } from "solid-js";

const NEAR_PX = 8; // of a last line that is as good as seen

interface ScrollBodyProps {
  labelledBy: string;
  /// Its end is in view, or was.
  onEnd: () => void;
  ref?: (body: HTMLElement) => void;
  children: JSX.Element;
}

export function ScrollBody(props: ScrollBodyProps): JSX.Element {
  const [scrolls, setScrolls] = createSignal(false);
  let body!: HTMLDivElement;
  const lookForEnd = () => {
    const isDrawn = body.clientHeight > 0;
    if (isDrawn && body.scrollTop + body.clientHeight >= body.scrollHeight - NEAR_PX) props.onEnd();
  };
  onMount(() => {
    props.ref?.(body);
    const look = () => {
      setScrolls(body.scrollHeight > body.clientHeight + 1);
      lookForEnd();
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(body);
    for (const part of body.children) watch.observe(part);
    onCleanup(() => watch.disconnect());
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={body}
      class="asks-body"
      role="group"
      aria-labelledby={props.labelledBy}
      tabindex={scrolls() ? 0 : undefined}
      onScroll={lookForEnd}
    >
      {props.children}
    </div>
  );
}
