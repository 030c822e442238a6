// The sessions that were opened in this browser, in the order in which they were: the tabs, over a reload too.
import { type Accessor, createMemo } from "solid-js";
import type { Memory } from "../memory";

const WISH = "tabs";
const MAX_TABS = 40; // closed ones too: another surface may bring them back. The oldest makes room

export class OpenedTabs {
  readonly list: Accessor<readonly string[]>;

  constructor(private readonly memory: Pick<Memory, "wish" | "setWish">) {
    this.list = createMemo(() => parseTabs(memory.wish(WISH)));
  }

  add(session: string): void {
    const now = this.list();
    if (!now.includes(session)) this.keep([...now, session].slice(-MAX_TABS));
  }

  private keep(tabs: readonly string[]): void {
    this.memory.setWish(WISH, JSON.stringify(tabs));
  }
}

/// What was stored; anything not in our format is dropped.
export function parseTabs(stored: string | undefined): readonly string[] {
  try {
    const read: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(read) ? read.filter((id) => typeof id === "string").slice(-MAX_TABS) : [];
  } catch {
    return [];
  }
}
