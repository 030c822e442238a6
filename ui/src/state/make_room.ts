// The room made: one link to the daemon, and everything that is folded from it.
import { createEffect, createMemo, createSignal, on, untrack } from "solid-js";
import type { Address } from "../host/address";
import type { Host } from "../host/host";
import type { EditorContext } from "../host/vscode_messages";
import { say, settingOf } from "../i18n/said";
import { Lost, Refused } from "../link/connection";
import { Link } from "../link/link";
import type {
  AgentState,
  DaemonNotice,
  GitStatus,
  Notifications,
  Requests,
  UiSelection,
  WaitingAsk,
} from "../model.gen";
import { DeviceAccess, mayAct } from "./access";
import { BesidePane, isBeside } from "./beside";
import { Cards, waitingNow } from "./cards";
import { findFirst } from "./first_shown";
import { Memory } from "./memory";
import { Mirrors } from "./mirrors";
import { OpenedTabs } from "./opened_tabs";
import { Overlays } from "./overlays";
import type { Connection, Room } from "./room";
import { Seen } from "./seen";
import { t } from "./texts";
import { Toasts } from "./toasts";
import { isViewed } from "./viewed";

const HELLO: Requests["initialize"]["params"] = {
  protocol_version: "0",
  client: { name: "page", version: "0.1.0" },
  ui_capabilities: {
    supports_session_sync: true,
    supports_markdown: true,
    supports_images: true,
  },
};
const DOUBLE_CLICK_MS = 500; // the second click may come after the first one was answered
const ACTIVE = "active"; // the wish under which the open tab is remembered, for the next window

type Handlers = { [M in keyof Notifications]?: (params: Notifications[M]["params"]) => void };

export function makeRoom(host: Host): Room {
  const [connection, setConnection] = createSignal<Connection>({ state: "connecting" });
  const [surface, setSurface] = createSignal("");
  const [workspace, setWorkspace] = createSignal("");
  const [home, setHome] = createSignal("");
  const [active, setActive] = createSignal("");
  const [target, setTarget] = createSignal<Address | undefined>(host.address());
  const [inbox, setInbox] = createSignal<readonly WaitingAsk[]>([]);
  const [selection, select] = createSignal<UiSelection>();
  const [editor, setEditor] = createSignal<EditorContext>();
  const [agents, setAgents] = createSignal<ReadonlyMap<string, AgentState>>(new Map());
  const [git, setGit] = createSignal<ReadonlyMap<string, GitStatus | undefined>>(new Map());
  const [troubles, setTroubles] = createSignal<readonly DaemonNotice[]>([]);
  const memory = new Memory(host);
  const toasts = new Toasts(() => host.isLookedAt());
  const opened = new OpenedTabs(memory);
  const cards = new Cards(opened.list);
  const overlays = new Overlays();
  const beside = new BesidePane();
  const seen = new Seen(memory, Date.now());

  const handlers: Handlers = {
    "session.snapshot": (params) => mirrors.snapshot(params),
    "session.changed": (params) => mirrors.changed(params),
    "session.cards": (params) => cards.take(params),
    "agent.state": ({ state }) => setAgents((all) => new Map(all).set(agentKey(state), state)),
    "workspace.state": ({ state }) =>
      setGit((all) => new Map(all).set(state.workspace, state.git ?? undefined)),
    "daemon.state": ({ notices }) => setTroubles(notices),
    "ui.toast": ({ level, message }) => toasts.add(level, message),
  };
  const link = new Link(
    host,
    {
      onConnection: setConnection,
      onNotify: (method, params) => handlers[method]?.(params),
      onReady: (hello) => {
        setSurface(hello.surface_id ?? "");
        setHome(hello.home ?? "");
        void devices.begin(hello.access ?? undefined);
        setWorkspace(host.workspace() || hello.workspace || "");
        if (hello.protocol_version !== HELLO.protocol_version) toasts.add("warn", t("otherVersion"));
        attempt("session.watch", {});
        mirrors.watchAgain();
      },
    },
    HELLO,
  );
  const devices = new DeviceAccess(
    host.device,
    (method, params) => link.call(method, params),
    (why) => toasts.add("warn", why),
  );
  const mirrors = new Mirrors({
    watch: async (session) => {
      const done = await attempt("session.watch", { session_id: session });
      const isGone = !done && isViewed(session) && connection().state === "open";
      if (isGone && active() === session) activate(""); // it has left the board
    },
    unwatch: (session) => void attempt("session.unwatch", { session_id: session }),
  });

  async function attempt<M extends keyof Requests>(method: M, params: Requests[M]["params"]) {
    try {
      return await link.call(method, params);
    } catch (reason) {
      if (reason instanceof Refused) tellRefusal(reason);
      else if (!(reason instanceof Lost)) toasts.add("error", (reason as Error).message);
      else if (!QUIET.has(method)) toasts.add("warn", t(reason.wasSent ? "cutOff" : "notConnected"));
      return undefined;
    }
  }

  /// With the way to the setting that it is about.
  function tellRefusal(refused: Refused): void {
    const at = settingOf(refused.said);
    const act = () => overlays.show({ kind: "settings", at });
    toasts.add(
      "error",
      say(refused.said, refused.message),
      at ? { label: t("openSetting"), act } : undefined,
    );
  }

  function activate(session: string): void {
    setTarget((now) => (now?.session === session ? now : undefined));
    setActive(session);
    beside.leave(session);
    memory.setWish(ACTIVE, session);
    host.keepShown(session);
    if (!session) return;
    if (!isViewed(session)) opened.add(session);
    mirrors.want(session);
    cards.settle(session, false);
    if (mayAct(devices.access())) void attempt("session.open", { session_id: session });
  }

  function goTo(address: Address): void {
    setTarget(address);
    activate(address.session);
  }

  const beginning = new Map<string, Promise<string | undefined>>(); // by folder: a double click begins one

  function create(folder = ""): Promise<string | undefined> {
    if (!mayAct(devices.access())) return Promise.resolve(undefined);
    const place = folder || cards.find(active())?.workspace || workspace() || cards.list()[0]?.workspace;
    if (!place) {
      overlays.show({ kind: "folders" });
      return Promise.resolve(undefined);
    }
    const begun =
      beginning.get(place) ??
      begin(place).finally(() => setTimeout(() => beginning.delete(place), DOUBLE_CLICK_MS));
    beginning.set(place, begun);
    return begun;
  }

  /// Shown when it is there, unless that is not wanted any more.
  async function begin(place: string, isWanted = () => true): Promise<string | undefined> {
    const created = await attempt("session.create", { workspace: place });
    if (created && isWanted()) activate(created.session_id);
    return created?.session_id;
  }

  function hide(session: string): void {
    if (!mayAct(devices.access())) return;
    const left = cards.tabs();
    const at = left.findIndex((tab) => tab.id === session);
    cards.hide(session);
    void attempt("session.hide", { session_id: session, hidden: true }).then((done) =>
      cards.settle(session, done !== undefined),
    );
    if (active() === session) activate((left[at + 1] ?? left[at - 1])?.id ?? "");
  }

  const waiting = createMemo(() => waitingNow(cards.all()));
  createEffect(
    on([waiting, () => connection().state], async ([_, state]) => {
      const listed = state === "open" ? await attempt("ask.list", {}) : undefined;
      if (listed) setInbox(listed.asks);
    }),
  );
  // What the page begins with: known once the first list is here.
  createEffect(
    on(cards.whole[0], (known) => {
      if (!known || active()) return;
      const named = host.address()?.session;
      const before = named ?? host.shown() ?? memory.wish(ACTIVE);
      const first = findFirst({ cards: cards.list(), named, before, arrived: host.takeArrival() });
      if (named && first.session !== named) toasts.add("warn", t("noSession"));
      if (first.session) activate(first.session);
      else if (first.begin && mayAct(devices.access())) void begin(first.begin, () => !active());
    }),
  );
  createEffect(() => {
    const card = cards.find(active());
    if (card && host.isLookedAt()) untrack(() => seen.look(card));
  });
  host.onAddress(goTo);
  host.onContext(setEditor);
  addEventListener("pagehide", () => memory.save());
  link.start();
  const enrolCode = host.takeEnrolCode();
  if (enrolCode)
    createEffect(
      on(devices.access, (now) => {
        if (now?.door === "outside" && devices.enrolment().state === "idle")
          overlays.show({ kind: "enrol", code: enrolCode });
      }),
    );

  return {
    host,
    connection,
    retryNow: () => link.retryNow(),
    surface,
    workspace,
    home,
    access: devices.access,
    enrolment: devices.enrolment,
    enrol: (code) => devices.enrol(code),
    call: (method, params) => link.call(method, params),
    attempt,
    hear: (method, heard) => {
      const mine = { [method]: heard } as Handlers;
      Object.assign(handlers, mine);
      return () => handlers[method] === heard && delete handlers[method];
    },
    cards: cards.list,
    listed: cards.whole[0],
    card: (session) => cards.find(session),
    tabs: cards.tabs,
    active,
    isSeen: (card) => seen.has(card),
    lookAtAll: () => seen.lookAtAll(Date.now()),
    follow: (session) => mirrors.want(session),
    activate,
    goTo,
    target,
    reached: () => setTarget(undefined),
    create,
    hide,
    mirror: (session) => mirrors.find(session),
    agent: (of) => agents().get(agentKey(of)),
    git: (folder) => git().get(folder),
    troubles,
    inbox,
    overlays: overlays.list,
    overlay: () => overlays.list().at(-1),
    show: (shown) => {
      if (shown.kind === "diff" && host.openDiff(shown)) return;
      if (!isBeside(shown)) return overlays.show(shown);
      if (active() !== shown.session) activate(shown.session);
      beside.show(shown);
    },
    close: () => overlays.close(),
    beside: beside.now,
    closeBeside: () => beside.close(),
    claimedAsk: beside.claimed,
    claimAsk: (id) => beside.claimAsk(id),
    openFile: (session, place) => {
      if (!host.openFile(place, cards.find(session)?.workspace ?? workspace()))
        overlays.show({ kind: "file", session, place });
    },
    toasts: toasts.list,
    toast: (level, message, action) => toasts.add(level, message, action),
    dismiss: (id) => toasts.dismiss(id),
    draft: (session) => memory.draft(session),
    setDraft: (session, draft) => memory.setDraft(session, draft),
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

// What is done again by itself when the connection is back.
const QUIET: ReadonlySet<keyof Requests> = new Set([
  "session.watch",
  "session.unwatch",
  "session.open",
  "ask.list",
]);

function agentKey(of: { agent?: string; workspace: string }): string {
  return JSON.stringify([of.agent ?? "codex", of.workspace]);
}
