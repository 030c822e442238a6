// An answer that is on its way. Not a resource: that would suspend the whole overlay, dialog and all.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import { sayFault } from "../text/visible";

export type Asked<T> = { state: "waiting" } | { state: "here"; value: T } | { state: "failed"; why: string };

export function createAsked<T>(ask: () => Promise<T>): Accessor<Asked<T>> {
  const [asked, setAsked] = createSignal<Asked<T>>({ state: "waiting" });
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  ask().then(
    (value) => !isGone && setAsked({ state: "here", value }),
    (fault: unknown) => !isGone && setAsked({ state: "failed", why: sayFault(fault) }),
  );
  return asked;
}

export function hereOf<T>(asked: Asked<T>): T | undefined {
  return asked.state === "here" ? asked.value : undefined;
}

export function whyOf<T>(asked: Asked<T>): string | undefined {
  return asked.state === "failed" ? asked.why : undefined;
}
