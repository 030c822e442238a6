// The keyboard of a menu, without a page: which entry comes next, and which one matches the typed letters.

export interface MenuEntry {
  label: string;
  /// A line between groups; it can't be selected.
  line?: boolean;
}

type MenuStep = (count: number, now: number) => number;

const STEPS: Record<string, MenuStep> = {
  ArrowDown: (count, now) => (now + 1) % count,
  ArrowUp: (count, now) => (now <= 0 ? count : now) - 1,
  Home: () => 0,
  End: (count) => count - 1,
};

/// The place in `entries` after a key; undefined when the key is not the menu's.
export function stepTo(entries: readonly MenuEntry[], now: number, key: string): number | undefined {
  const step = STEPS[key];
  const places = entries.flatMap((entry, place) => (entry.line ? [] : [place]));
  if (!step || places.length === 0) return undefined;
  return places[step(places.length, places.indexOf(now))];
}

/// The next entry that begins with what was typed; one letter again and again walks through all with it.
export function findTyped(entries: readonly MenuEntry[], now: number, typed: string): number | undefined {
  const wanted = [...typed.toLowerCase()];
  const same = wanted.every((letter) => letter === wanted[0]);
  const start = same ? now + 1 : Math.max(now, 0);
  const text = same ? (wanted[0] ?? "") : wanted.join("");
  if (text === "") return undefined;
  for (let offset = 0; offset < entries.length; offset++) {
    const place = (start + offset) % entries.length;
    const entry = entries[place];
    if (entry && !entry.line && entry.label.toLowerCase().startsWith(text)) return place;
  }
  return undefined;
}
