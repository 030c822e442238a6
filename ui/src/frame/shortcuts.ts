// The page's own keys, in one table: the help shows it, and one listener acts by it.
import { onCleanup } from "solid-js";
import { never } from "../never";
import type { Room } from "../state/room";
import { openLatestDiff } from "./session/latest_diff";
import type { SidebarState } from "./sidebar/sidebar_state";

export type ActionName =
  | "search"
  | "newSession"
  | "tab"
  | "nextTab"
  | "lastTab"
  | "sidebar"
  | "composer"
  | "question"
  | "diff"
  | "settings"
  | "help";

export interface Stroke {
  /// As `KeyboardEvent.code` names a letter or digit, independent of the layout; or a character.
  key: string;
  /// With Ctrl (on a Mac Cmd), with Alt (on a Mac Ctrl and Option, as Option alone types characters).
  with?: "ctrl" | "alt";
}

/// No letter that opens a browser's menu, and nothing that a browser keeps for itself.
export const SHORTCUTS: Readonly<Record<ActionName, Stroke>> = {
  search: { key: "KeyK", with: "ctrl" },
  newSession: { key: "KeyN", with: "alt" },
  tab: { key: "Digit1", with: "alt" }, // to 9
  nextTab: { key: "Period", with: "alt" },
  lastTab: { key: "Comma", with: "alt" },
  sidebar: { key: "KeyL", with: "alt" },
  composer: { key: "KeyI", with: "alt" },
  question: { key: "KeyA", with: "alt" },
  diff: { key: "KeyC", with: "alt" },
  settings: { key: "KeyO", with: "alt" },
  help: { key: "?" },
};

export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey">;

export interface FoundShortcut {
  name: ActionName;
  digit: number; // of a tab; 0 otherwise
}

/// Which action a press means; a plain character only while nothing is being typed.
export function findAction(press: KeyPress, typing: boolean, mac: boolean): FoundShortcut | undefined {
  const digit = /^Digit[1-9]$/.test(press.code) ? Number(press.code.slice(5)) : 0;
  const held = findHeld(press, mac);
  for (const [name, stroke] of Object.entries(SHORTCUTS) as [ActionName, Stroke][]) {
    const key = name === "tab" ? digit > 0 : stroke.key === press.code || stroke.key === press.key;
    if (key && held === stroke.with && (stroke.with || !typing)) return { name, digit };
  }
  return undefined;
}

function findHeld(press: KeyPress, mac: boolean): Stroke["with"] | "other" {
  const held = `${press.ctrlKey ? "c" : ""}${press.metaKey ? "m" : ""}${press.altKey ? "a" : ""}`;
  if (held === "") return undefined;
  if (held === (mac ? "m" : "c")) return "ctrl";
  return held === (mac ? "ca" : "a") ? "alt" : "other";
}

/// As a person reads it: "Ctrl+K", "⌃⌥N".
export function showStroke(name: ActionName, mac: boolean): string {
  const { key, with: held } = SHORTCUTS[name];
  const named: Record<string, string> = { Digit1: "1 … 9", Period: ".", Comma: "," };
  const cap = named[key] ?? key.replace(/^Key/, "");
  switch (held) {
    case "ctrl":
      return mac ? `⌘${cap}` : `Ctrl+${cap}`;
    case "alt":
      return mac ? `⌃⌥${cap}` : `Alt+${cap}`;
    case undefined:
      return cap;
    default:
      return never(held);
  }
}

export function isMac(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

export interface ShortcutReach {
  begin: () => void;
  sidebar: SidebarState;
  search: () => void;
  focusComposer: () => void;
  focusQuestion: () => void;
}

/// Listens for as long as the page's root lives; an open dialog has the keys to itself.
export function listenForShortcuts(room: Room, reach: ShortcutReach): void {
  const acts: Record<ActionName, (digit: number) => void> = {
    search: reach.search,
    newSession: reach.begin,
    tab: (digit) => goTo(room, room.tabs()[digit - 1]?.id),
    nextTab: () => goTo(room, neighbour(room, 1)),
    lastTab: () => goTo(room, neighbour(room, -1)),
    sidebar: reach.sidebar.toggle,
    composer: reach.focusComposer,
    question: reach.focusQuestion,
    diff: () => openLatestDiff(room),
    settings: () => room.show({ kind: "settings" }),
    help: () => room.show({ kind: "help" }),
  };
  const mac = isMac();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const found = findAction(event, isTyping(event.target), mac);
    if (!found) return;
    event.preventDefault(); // nor is it the browser's or the editor's then
    if (document.querySelector("dialog[open]")) return;
    acts[found.name](found.digit);
  };
  document.addEventListener("keydown", onKeyDown);
  onCleanup(() => document.removeEventListener("keydown", onKeyDown));
}

function goTo(room: Room, session: string | undefined): void {
  if (session) room.activate(session);
}

function neighbour(room: Room, by: number): string | undefined {
  const tabs = room.tabs();
  const now = tabs.findIndex((tab) => tab.id === room.active());
  return tabs[(now + by + tabs.length) % tabs.length]?.id;
}
