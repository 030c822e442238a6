// A value at the pace of the screen: the first at once, later ones at most once a frame and never the bulk of it.
import { type Accessor, createComputed, createSignal, on, onCleanup } from "solid-js";

const SHARE = 4; // what follows may take one part in so many of the time

/// `spent()` is what the last rendering took, in ms; an expensive one is followed by a longer pause.
export function createFramed<T>(value: Accessor<T>, spent: () => number = () => 0): Accessor<T> {
  const [shown, show] = createSignal<T>(value());
  let frame = 0;
  let lastAt = performance.now();
  const tick = (now: number) => {
    frame = 0;
    if (now - lastAt < spent() * SHARE) {
      frame = requestAnimationFrame(tick);
      return;
    }
    lastAt = now;
    show(() => value());
  };
  const later = () => {
    frame ||= requestAnimationFrame(tick);
  };
  createComputed(on(value, later, { defer: true }));
  onCleanup(() => cancelAnimationFrame(frame));
  return shown;
}
