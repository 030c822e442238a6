// The time, every second for as long as something on the page counts it.
import { type Accessor, createSignal, onCleanup } from "solid-js";

const TICK_MS = 1_000;

export function createClock(): Accessor<number> {
  const [now, setNow] = createSignal(Date.now());
  const ticking = setInterval(() => setNow(Date.now()), TICK_MS);
  onCleanup(() => clearInterval(ticking));
  return now;
}
