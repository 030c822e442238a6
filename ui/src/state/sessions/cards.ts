// The list of sessions, the latest first, and the tabs of those that were opened here.
import { type Accessor, batch, createMemo, createSignal } from "solid-js";
import type { Card, CardsNotify } from "../../model.gen";
import { MACHINE, type Tab } from "../room";

const PACE_MS = 100; // a list of thousands is not rebuilt whenever one of them changes

export class Cards {
  private known = new Map<string, Card>();
  private alike = new Map<string, Map<string, number>>(); // by name: which of its sessions came first
  private shown = createSignal<readonly Card[]>([]);
  private hiding = createSignal<ReadonlySet<string>>(new Set());
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shownAtMs = 0;
  readonly whole = createSignal(false);

  readonly all = this.shown[0];
  /// Without the place where questions of the machine itself open: it is no conversation.
  readonly list = createMemo(() => this.all().filter((card) => card.session_id !== MACHINE && !card.deleted));
  readonly tabs: Accessor<readonly Tab[]>;

  /// `opened`: the sessions that the person opened here, in that order.
  constructor(private readonly opened: Accessor<readonly string[]>) {
    this.tabs = createMemo(() => this.makeTabs());
  }

  find(session: string): Card | undefined {
    this.shown[0]();
    return this.known.get(session);
  }

  /// One name wherever the page speaks of a session: its title, and a number where it has none of its own,
  /// or another has the same. Each keeps its number while the page lives.
  name({ session_id, title }: Pick<Card, "session_id" | "title">): string {
    this.shown[0](); // another may have the same by now
    const words = withoutId(title);
    const place = this.alike.get(words)?.get(session_id) ?? 1;
    const isOwn = words === title && title !== "";
    return isOwn && place === 1 ? words : `${words} #${place}`.trim();
  }

  /// Of a session without a prompt; undefined of another.
  draftFolder(session: string): string | undefined {
    const card = this.find(session);
    return card?.draft ? card.workspace : undefined;
  }

  take(news: CardsNotify): void {
    if (news.whole) this.known.clear();
    for (const card of news.cards) this.known.set(card.session_id, card);
    for (const card of [...news.cards].sort(oldestFirst)) this.countAlike(card);
    for (const session of news.gone ?? []) this.known.delete(session);
    if (news.whole) this.show();
    else this.timer ??= setTimeout(() => this.show(), this.shownAtMs + PACE_MS - performance.now());
  }

  private show(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.shownAtMs = performance.now();
    batch(() => {
      this.shown[1]([...this.known.values()].sort(latestFirst));
      this.whole[1](true);
    });
  }

  /// Gone from the bar at once; the daemon's word follows.
  hide(session: string): void {
    this.hiding[1]((hiding) => new Set(hiding).add(session));
  }

  /// From here on only what the daemon says counts: another surface may bring it back.
  settle(session: string, hidden: boolean): void {
    if (!this.hiding[0]().has(session)) return;
    const card = this.known.get(session);
    if (card && hidden) this.known.set(session, { ...card, hidden });
    batch(() => {
      this.hiding[1]((hiding) => new Set([...hiding].filter((id) => id !== session)));
      this.show();
    });
  }

  private makeTabs(): readonly Tab[] {
    this.shown[0](); // what is known of each may differ by now
    return this.opened()
      .map((id) => this.known.get(id))
      .filter((card) => card && !card.hidden && !card.deleted && !this.hiding[0]().has(card.session_id))
      .map((card) => this.tab(card as Card));
  }

  private tab(card: Card): Tab {
    return { id: card.session_id, label: this.name(card), title: card.title };
  }

  private countAlike(card: Card): void {
    const words = withoutId(card.title);
    const alike = this.alike.get(words) ?? new Map<string, number>();
    if (!alike.has(card.session_id)) alike.set(card.session_id, alike.size + 1);
    this.alike.set(words, alike);
  }
}

/// "app (0199c2d4)" is called by its folder until a prompt names it; a title set by a person stays.
export function withoutId(title: string): string {
  return title.replace(/ ?\([0-9a-f]{8}\)$/i, "").trim();
}

function oldestFirst(a: Card, b: Card): number {
  return (a.created_at_ms ?? 0) - (b.created_at_ms ?? 0) || (a.session_id < b.session_id ? -1 : 1);
}

/// Within one moment by their ids, which sort by when they were made.
function latestFirst(a: Card, b: Card): number {
  return (b.updated_at_ms ?? 0) - (a.updated_at_ms ?? 0) || (a.session_id < b.session_id ? 1 : -1);
}
