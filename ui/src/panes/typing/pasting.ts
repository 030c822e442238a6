// A paste on its way into a pane: cleaned of keys, and shown first where it would press Enter.
import { createSignal } from "solid-js";
import type { Room } from "../../state/room";
import { t } from "../texts";
import type { Term } from "../xterm";
import type { PaneTyping } from "./pane_typing";
import { cleanPaste, pressesEnter } from "./paste";

export interface Pasting {
  /// What waits for a yes; empty where nothing does.
  waiting: () => string;
  take: (text: string) => void;
  fromClipboard: () => Promise<void>;
  end: (text?: string) => void;
}

export function makePasting(
  room: Room,
  term: () => Term | undefined,
  typing: Pick<PaneTyping, "mayType" | "hold">,
): Pasting {
  const [waiting, setWaiting] = createSignal("");
  const end = (text = "") => {
    setWaiting("");
    if (text) term()?.xterm.paste(text);
    term()?.xterm.focus();
  };
  const take = (text: string) => {
    const now = term()?.xterm;
    if (!text || !now || !typing.mayType()) return;
    const clean = cleanPaste(text);
    if (clean.removed > 0) room.toast("info", t("pasteCleaned"));
    if (pressesEnter(clean.text) && !now.modes.bracketedPasteMode) setWaiting(clean.text);
    else end(clean.text);
  };
  const fromClipboard = async () => {
    term()?.xterm.focus();
    const release = typing.hold(); // Enter, pressed right after the paste, belongs after it
    const text = await navigator.clipboard.readText().catch(() => "");
    release(false);
    take(text);
    release(!waiting());
  };
  return { waiting, take, fromClipboard, end };
}
