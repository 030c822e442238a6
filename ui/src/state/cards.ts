// The list of sessions, the latest first, and the tabs of those that were opened here.
import { type Accessor, batch, createMemo, createSignal } from "solid-js";
import type { Card, CardsNotify } from "../model.gen";
import { MACHINE, type Tab } from "./room";

const PACE_MS = 100; // a list of thousands is not rebuilt whenever one of them changes

export class Cards {
  private known = new Map<string, Card>();
  private numbers = new Map<string, number>(); // "#1", "#2": for as long as the page lives
  private alike = new Map<string, Map<string, number>>(); // by title: which of its sessions came first
  private shown = createSignal<readonly Card[]>([]);
  private hiding = createSignal<ReadonlySet<string>>(new Set());
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shownAtMs = 0;
  readonly whole = createSignal(false);

  readonly all = this.shown[0];
  /// Without the place where questions of the machine itself open: it is no conversation.
  readonly list = createMemo(() => this.all().filter((card) => card.session_id !== MACHINE && !card.deleted));
  readonly tabs: Accessor<readonly Tab[]>;
  private names: Accessor<ReadonlyMap<string, string>>;

  /// `opened`: the sessions that the person opened here, in that order.
  constructor(private readonly opened: Accessor<readonly string[]>) {
    this.tabs = createMemo(() => this.makeTabs());
    this.names = createMemo(() => new Map(this.tabs().map((tab) => [tab.id, tab.label])));
  }

  find(session: string): Card | undefined {
    this.shown[0]();
    return this.known.get(session);
  }

  /// One name wherever the page speaks of a session: while it is open, that of its tab.
  name(card: Pick<Card, "session_id" | "title">): string {
    return this.names().get(card.session_id) ?? (this.numbered(card.title, card) || card.session_id);
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
    const number = this.numbers.get(card.session_id) ?? this.numbers.size + 1;
    this.numbers.set(card.session_id, number);
    const label = this.numbered(shortLabel(card.title, number), card);
    return { id: card.session_id, label, title: card.title };
  }

  /// Sessions with the same title are told apart; each keeps its place while the page lives.
  private countAlike(card: Card): void {
    const alike = this.alike.get(card.title) ?? new Map<string, number>();
    if (!alike.has(card.session_id)) alike.set(card.session_id, alike.size + 1);
    this.alike.set(card.title, alike);
  }

  private numbered(label: string, { session_id, title }: Pick<Card, "session_id" | "title">): string {
    const place = title ? (this.alike.get(title)?.get(session_id) ?? 1) : 1;
    return place > 1 ? `${label} #${place}` : label;
  }
}

/// "app (0199c2d4)" is "app #1" in the bar; a title set by a person stays.
export function shortLabel(title: string, number: number): string {
  const short = title.replace(/ ?\([0-9a-f]{8}\)$/i, ` #${number}`);
  return short.trim() || `#${number}`;
}

function oldestFirst(a: Card, b: Card): number {
  return (a.created_at_ms ?? 0) - (b.created_at_ms ?? 0) || (a.session_id < b.session_id ? -1 : 1);
}

function latestFirst(a: Card, b: Card): number {
  return (b.updated_at_ms ?? 0) - (a.updated_at_ms ?? 0) || (a.session_id < b.session_id ? -1 : 1);
}
