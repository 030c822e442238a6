// What is shown: a session or the home page, what is open over it, and the address that says so.
import { batch, createEffect, createSignal, on } from "solid-js";
import type { Address } from "../host/address";
import type { Host } from "../host/host";
import { mayAct } from "./access";
import { type BesidePane, isBeside } from "./beside";
import type { Daemon } from "./daemon";
import { findFirst } from "./first_shown";
import type { Memory } from "./memory";
import type { Overlays } from "./overlays";
import type { Room } from "./room";
import type { Cards } from "./sessions/cards";
import type { Mirrors } from "./sessions/mirrors";
import type { OpenedTabs } from "./sessions/opened_tabs";
import { isViewed } from "./sessions/viewed";

const DOUBLE_CLICK_MS = 500; // the second click may come after the first one was answered
const ACTIVE = "active"; // the wish under which the open tab is remembered, for the next window

type Navigation = Pick<
  Room,
  "active" | "target" | "reached" | "activate" | "goTo" | "create" | "hide" | "show"
>;

interface NavigationParts {
  host: Host;
  daemon: Pick<Daemon, "access" | "attempt" | "workspace">;
  memory: Memory;
  cards: Cards;
  opened: OpenedTabs;
  mirrors: Mirrors;
  overlays: Overlays;
  beside: BesidePane;
  isMissing: (session: string) => boolean;
}

export function makeNavigation(around: NavigationParts): Navigation {
  const { host, daemon, memory, cards, opened, mirrors, overlays, beside } = around;
  const [active, setActive] = createSignal("");
  const [target, setTarget] = createSignal<Address | undefined>(host.address());
  const countOpen = () => overlays.list().length + (beside.now() ? 1 : 0);

  function activate(session: string): void {
    setTarget((now) => (now?.session === session ? now : undefined));
    setActive(session);
    beside.leave(session);
    host.keepOpen?.(countOpen()); // before the address changes
    memory.setWish(ACTIVE, session);
    host.keepShown(session);
    if (!session) return;
    if (!isViewed(session)) opened.add(session);
    mirrors.want(session);
    cards.settle(session, false);
    if (mayAct(daemon.access())) void daemon.attempt("session.open", { session_id: session });
  }

  function goTo(address: Address): void {
    setTarget(address);
    activate(address.session);
  }

  function hide(session: string): void {
    if (!mayAct(daemon.access())) return;
    const left = cards.tabs();
    const at = left.findIndex((tab) => tab.id === session);
    cards.hide(session);
    void daemon
      .attempt("session.hide", { session_id: session, hidden: true })
      .then((done) => cards.settle(session, done !== undefined));
    if (active() === session) activate((left[at + 1] ?? left[at - 1])?.id ?? "");
  }

  createEffect(() => host.keepOpen?.(countOpen()));
  host.onAddress((address, open) => {
    batch(() => {
      while (overlays.list().length > 0 && countOpen() > open) overlays.close();
      if (countOpen() > open) beside.close();
    });
    if (address.session !== active() || address.block) goTo(address);
  });
  const { create, begin } = makeBeginning(around, active, activate);
  beginWith(around, active, activate, begin);
  // A draft outlives its session, which was in the daemon's memory only: it is offered in a new one.
  createEffect(() => {
    const session = active();
    const folder = around.isMissing(session) ? memory.draftFolder(session) : undefined;
    if (folder && mayAct(daemon.access())) void begin(folder, () => active() === session);
  });

  return {
    active,
    target,
    reached: () => setTarget(undefined),
    activate,
    goTo,
    create,
    hide,
    show: (shown) => {
      if (shown.kind === "diff" && host.openDiff(shown)) return;
      if (!isBeside(shown)) return overlays.show(shown);
      if (active() !== shown.session) activate(shown.session);
      beside.show(shown);
    },
  };
}

type Begin = (place: string, isWanted?: () => boolean) => Promise<string | undefined>;

/// New sessions: in the folder of the one that is shown, or the latest known; without one a person is asked.
function makeBeginning(
  { daemon, memory, cards, overlays }: NavigationParts,
  active: () => string,
  activate: (session: string) => void,
): { create: Room["create"]; begin: Begin } {
  const beginning = new Map<string, Promise<string | undefined>>(); // by folder: a double click begins one

  /// Shown when it is there, unless that is not wanted any more.
  const begin: Begin = async (place, isWanted = () => true) => {
    const created = await daemon.attempt("session.create", { workspace: place });
    if (created) memory.adoptDraft(created.session_id, place, (session) => !cards.find(session));
    if (created && isWanted()) activate(created.session_id);
    return created?.session_id;
  };

  const create = (folder = ""): Promise<string | undefined> => {
    if (!mayAct(daemon.access())) return Promise.resolve(undefined);
    const place =
      folder || cards.find(active())?.workspace || daemon.workspace() || cards.list()[0]?.workspace;
    if (!place) {
      overlays.show({ kind: "folders" });
      return Promise.resolve(undefined);
    }
    const begun =
      beginning.get(place) ??
      begin(place).finally(() => setTimeout(() => beginning.delete(place), DOUBLE_CLICK_MS));
    beginning.set(place, begun);
    return begun;
  };
  return { create, begin };
}

/// What the page begins with: known once the first list is here.
function beginWith(
  { host, daemon, memory, cards }: NavigationParts,
  active: () => string,
  activate: (session: string) => void,
  begin: Begin,
): void {
  createEffect(
    on(cards.whole[0], (known) => {
      if (!known || active()) return;
      const named = host.address()?.session;
      const before = named ?? host.shown() ?? memory.wish(ACTIVE);
      const lostDraft = memory.draftFolder(before ?? "");
      const first = findFirst({ cards: cards.list(), named, before, arrived: host.takeArrival(), lostDraft });
      if (first.session) activate(first.session);
      else if (first.begin && mayAct(daemon.access())) void begin(first.begin, () => !active());
    }),
  );
}
