// Whether the end of a long command was in view: before that it is shown, not allowed.
import { createSignal } from "solid-js";
import type { Ask } from "../model.gen";

const READ_MS = 700; // the least that somebody looks at the end of a long command

export interface SeenEnd {
  isUnseen(): boolean;
  /// A yes counts now; else the end is shown.
  maySayYes(): boolean;
  show(): void;
  setBody(body: HTMLElement): void;
  saw(): void;
}

export function makeSeenEnd(ask: () => Ask): SeenEnd {
  const [endOf, setEndOf] = createSignal("");
  let body: HTMLElement | undefined;
  let shownAtMs = 0;
  const isUnseen = () => ask().subject.about === "command" && endOf() !== ask().id;
  const show = () => {
    shownAtMs = Date.now();
    body?.scrollTo({ top: body.scrollHeight });
  };
  return {
    isUnseen,
    maySayYes() {
      if (isUnseen()) show();
      return !isUnseen() && Date.now() - shownAtMs >= READ_MS; // not the second half of a double click
    },
    show,
    setBody(element) {
      body = element;
    },
    saw: () => setEndOf(ask().id),
  };
}
