// The part of a card that scrolls: a stop for the keyboard only while there is something to scroll.
import { createSignal, type JSX, onCleanup, onMount } from "solid-js";

export function ScrollBody(props: { labelledBy: string; children: JSX.Element }): JSX.Element {
  const [scrolls, setScrolls] = createSignal(false);
  let body!: HTMLDivElement;
  onMount(() => {
    const look = () => setScrolls(body.scrollHeight > body.clientHeight + 1);
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
    >
      {props.children}
    </div>
  );
}
