// The room made: one daemon, and everything that is folded from it and remembered beside it.
import { type Accessor, createEffect, createMemo, createSignal, on, untrack } from "solid-js";
import type { Host } from "../host/host";
import type { EditorContext } from "../host/vscode_messages";
import type { Card, UiSelection, WaitingAsk } from "../model.gen";
import { BesidePane } from "./beside";
import { type Daemon, makeDaemon } from "./daemon";
import { Memory } from "./memory";
import { makeNavigation } from "./navigation";
import { Overlays } from "./overlays";
import type { Room } from "./room";
import { Cards } from "./sessions/cards";
import { Mirrors } from "./sessions/mirrors";
import { OpenedTabs } from "./sessions/opened_tabs";
import { SeenSessions } from "./sessions/seen";
import { isViewed, viewId } from "./sessions/viewed";
import { Toasts } from "./toasts";

export function makeRoom(host: Host): Room {
  const [selection, select] = createSignal<UiSelection>();
  const [missing, setMissing] = createSignal("");
  const [editor, setEditor] = createSignal<EditorContext>();
  const memory = new Memory(host);
  const toasts = new Toasts(
    () => host.isLookedAt(),
    () => shown.active(),
  );
  const opened = new OpenedTabs(memory);
  const cards = new Cards(opened.list);
  const overlays = new Overlays();
  const beside = new BesidePane();
  const seen = new SeenSessions(memory, Date.now());
  const { start, attemptAt, ...daemon } = makeDaemon(host, {
    toasts,
    isListed: (session) => cards.find(session) !== undefined,
    onMissing: (session) => {
      mirrors.forget(session);
      setMissing(session);
    },
    openSetting: (at) => overlays.show({ kind: "settings", at }),
    onReady: () => void daemon.attempt("session.watch", {}),
  });
  const mirrors = new Mirrors({
    watch: async (session) => {
      const done = await daemon.attempt("session.watch", { session_id: session });
      const isGone = !done && isViewed(session) && daemon.connection().state === "open";
      if (isGone && shown.active() === session) shown.activate(""); // it has left the board
    },
    unwatch: (session) => void daemon.attempt("session.unwatch", { session_id: session }),
  });
  daemon.hear("session.snapshot", (params) => mirrors.snapshot(params));
  daemon.hear("session.changed", (params) => mirrors.changed(params));
  daemon.hear("session.cards", (params) => {
    if (params.whole) mirrors.watchAgain(); // by now it is known what the daemon has
    cards.take(params);
    leaveGone(params.gone ?? [], mirrors, shown, setMissing);
  });
  const inbox = createInbox(daemon, cards);
  const isMissing = (session: string) => session !== "" && session === missing() && !cards.find(session);
  const parts = { host, daemon, memory, cards, opened, mirrors, overlays, beside, isMissing };
  const shown = makeNavigation(parts);
  createEffect(() => {
    const card = cards.find(shown.active());
    if (card && host.isLookedAt()) untrack(() => seen.look(card));
  });
  // A session that nobody has said anything in is listed while it is open, or has words to go on with.
  const isListed = (card: Card) =>
    !card.draft || card.session_id === shown.active() || memory.draft(card.session_id).text.trim() !== "";
  const listed = createMemo(() => cards.list().filter(isListed));
  host.onContext(setEditor);
  addEventListener("pagehide", () => memory.save());
  start();
  offerEnrolment(host, daemon, overlays);

  return {
    host,
    ...daemon,
    ...shown,
    attempt: (method, params) => attemptAt(shown.active(), method, params),
    cards: listed,
    listed: cards.whole[0],
    card: (session) => cards.find(session),
    name: (card) => cards.name(card),
    tabs: cards.tabs,
    isMissing: () => isMissing(shown.active()),
    isSeen: (card) => seen.has(card),
    lookAtAll: () => seen.lookAtAll(Date.now()),
    follow: (session) => mirrors.want(session),
    mirror: (session) => mirrors.find(session),
    inbox,
    overlays: overlays.list,
    overlay: () => overlays.list().at(-1),
    close: () => overlays.close(),
    beside: beside.now,
    closeBeside: () => beside.close(),
    claimedAsk: beside.claimed,
    claimAsk: (id) => beside.claimAsk(id),
    openFile: (session, place) => {
      if (!host.openFile(place, cards.find(session)?.workspace ?? daemon.workspace()))
        overlays.show({ kind: "file", session, place });
    },
    toasts: toasts.list,
    toast: (level, message, action, session) =>
      toasts.add(level, message, { action, at: session ?? (level === "info" ? undefined : shown.active()) }),
    dismiss: (id) => toasts.dismiss(id),
    draft: (session) => memory.draft(session),
    setDraft: (session, draft) => memory.setDraft(session, draft, cards.draftFolder(session)),
    sent: (session) => memory.sent(session),
    remember: (session, text) => memory.remember(session, text),
    isOpen: (session, key, otherwise) => memory.isOpen(session, key, otherwise),
    setOpen: (session, key, open) => memory.setOpen(session, key, open),
    selection,
    select: (picked) => void select(picked),
    editor,
    wish: (name) => memory.wish(name),
    setWish: (name, value) => memory.setWish(name, value),
  };
}

type Calls = Pick<Daemon, "connection" | "attempt" | "access" | "enrolment">;

/// The Asks of all sessions: listed again whenever another one may wait.
function createInbox(daemon: Calls, cards: Cards): Accessor<readonly WaitingAsk[]> {
  const [inbox, setInbox] = createSignal<readonly WaitingAsk[]>([]);
  const waiting = createMemo(() => waitingNow(cards.all()));
  createEffect(
    on([waiting, () => daemon.connection().state], async ([_, state]) => {
      const listed = state === "open" ? await daemon.attempt("ask.list", {}) : undefined;
      if (listed) setInbox(listed.asks);
    }),
  );
  return inbox;
}

/// Differs whenever another Ask may be waiting, also when one came as another went.
function waitingNow(cards: readonly Card[]): string {
  const asking = cards.filter((card) => card.asks);
  return asking.map((card) => `${card.session_id} ${card.asks} ${card.updated_at_ms}`).join();
}

/// A link with a code asks to enrol this device, where it comes from another machine.
function offerEnrolment(host: Host, daemon: Calls, overlays: Overlays): void {
  const code = host.takeEnrolCode();
  if (!code) return;
  createEffect(
    on(daemon.access, (now) => {
      if (now?.door === "outside" && daemon.enrolment().state === "idle")
        overlays.show({ kind: "enrol", code });
    }),
  );
}

/// They are no longer kept here. One that was joined, and left in another window, goes on where it was opened.
function leaveGone(
  gone: readonly string[],
  mirrors: Mirrors,
  shown: Pick<Room, "active" | "activate">,
  setMissing: (session: string) => void,
): void {
  for (const session of gone) {
    const there = mirrors.find(session)?.head().elsewhere;
    mirrors.forget(session);
    if (session !== shown.active()) continue;
    if (there?.joined) shown.activate(viewId(there.key));
    else setMissing(session);
  }
}
