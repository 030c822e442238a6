// The dialogs that are open, the uppermost last: all outside of it is out of reach, so messages go inside.
import { type Accessor, createSignal, onCleanup, onMount } from "solid-js";

const [stack, setStack] = createSignal<readonly HTMLElement[]>([]);

/// Where something must be put to be seen and reached now.
export const topDialog: Accessor<HTMLElement | undefined> = () => stack().at(-1);

/// Counts an element among the open ones, as long as its component lives.
export function countAsOpen(element: () => HTMLElement): void {
  onMount(() => setStack((all) => [...all, element()]));
  onCleanup(() => setStack((all) => all.filter((each) => each !== element())));
}
