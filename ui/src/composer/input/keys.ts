// What a key means in the input: pure, so that every condition of it can be shown.
import { type Caret, mayWalk } from "./history";

export interface Pressed {
  key: string;
  keyCode: number;
  isComposing: boolean;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export interface KeyContext {
  popup: boolean;
  busy: boolean; // a run goes on
  steers: boolean; // the agent takes words into it
  caret: Caret;
}

export type Meaning =
  | { do: "send" } // while a run goes on: wait in the queue
  | { do: "steer" }
  | { do: "interrupt" }
  | { do: "choose" }
  | { do: "point"; by: -1 | 1 }
  | { do: "closePopup" }
  | { do: "walk"; by: -1 | 1 }
  | { do: "nothing" }; // the browser's own

const NOTHING: Meaning = { do: "nothing" };
const IME = 229; // a key that the input method has taken; some browsers say so only by this

export function meaningOf(pressed: Pressed, around: KeyContext): Meaning {
  if (pressed.isComposing || pressed.keyCode === IME) return NOTHING;
  const isPlain = !pressed.ctrlKey && !pressed.metaKey && !pressed.altKey && !pressed.shiftKey;
  switch (pressed.key) {
    case "Enter":
      return enter(pressed, around, isPlain);
    case "Tab":
      return around.popup && isPlain ? { do: "choose" } : NOTHING;
    case "Escape":
      if (around.popup) return { do: "closePopup" };
      return around.busy ? { do: "interrupt" } : NOTHING;
    case "ArrowUp":
      return isPlain ? arrow(-1, around) : NOTHING;
    case "ArrowDown":
      return isPlain ? arrow(1, around) : NOTHING;
    default:
      return NOTHING;
  }
}

function enter(pressed: Pressed, around: KeyContext, isPlain: boolean): Meaning {
  if (isPlain) return around.popup ? { do: "choose" } : { do: "send" };
  if (pressed.shiftKey || pressed.altKey) return NOTHING;
  return around.busy && around.steers ? { do: "steer" } : { do: "send" };
}

function arrow(by: -1 | 1, around: KeyContext): Meaning {
  if (around.popup) return { do: "point", by };
  return mayWalk(around.popup, around.caret) ? { do: "walk", by } : NOTHING;
}
