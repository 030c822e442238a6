// What the person pinned and hid among other agents' sessions; kept in this browser.
import type { Room } from "../../state/room";

const MAX_MARKED = 500; // of each; the oldest make room
const PINNED = "home.pinned";
const HIDDEN = "home.hidden";

export interface HomeMarks {
  pinned(): ReadonlySet<string>;
  hidden(): ReadonlySet<string>;
  togglePinned(key: string): void;
  toggleHidden(key: string): void;
}

export function makeMarks(room: Pick<Room, "wish" | "setWish">): HomeMarks {
  const read = (name: string) => parseKeys(room.wish(name));
  const toggle = (name: string, key: string) => room.setWish(name, JSON.stringify(toggled(read(name), key)));
  return {
    pinned: () => new Set(read(PINNED)),
    hidden: () => new Set(read(HIDDEN)),
    togglePinned: (key) => toggle(PINNED, key),
    toggleHidden: (key) => toggle(HIDDEN, key),
  };
}

export function toggled(keys: readonly string[], key: string): readonly string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key].slice(-MAX_MARKED);
}

/// Whatever else was stored there counts as nothing.
export function parseKeys(text: string | undefined): readonly string[] {
  try {
    const keys: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}
