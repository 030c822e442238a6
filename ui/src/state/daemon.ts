// The daemon as the room knows it: one link, what is called and heard over it, and what it says of itself.
import { type Accessor, createSignal } from "solid-js";
import type { Host } from "../host/host";
import { keepStartCommand } from "../host/start_command";
import { say, settingOf } from "../i18n/said";
import { Lost, Refused } from "../link/connection";
import { Link } from "../link/link";
import type { AgentState, BridgeState, DaemonNotice, GitStatus, Notifications, Requests } from "../model.gen";
import { DeviceAccess } from "./access";
import type { Connection, Room } from "./room";
import { isViewed } from "./sessions/viewed";
import { t } from "./texts";
import type { Toasts } from "./toasts";

const PROTOCOL = "0";

/// With the name that other surfaces show.
const makeHello = (host: Host): Requests["initialize"]["params"] => ({
  protocol_version: PROTOCOL,
  client: { name: host.kind === "vscode" ? "VS Code" : "page", version: "0.1.0" },
  ui_capabilities: {
    supports_session_sync: true,
    supports_markdown: true,
    supports_images: true,
  },
});

// What is done again by itself when the connection is back.
const QUIET: ReadonlySet<keyof Requests> = new Set([
  "session.watch",
  "session.unwatch",
  "session.open",
  "ask.list",
]);

const SHOWS: ReadonlySet<keyof Requests> = new Set(["session.watch", "session.open"]);

type Handlers = { [M in keyof Notifications]?: (params: Notifications[M]["params"]) => void };

export interface Daemon
  extends Pick<
    Room,
    | "connection"
    | "retryNow"
    | "surface"
    | "workspace"
    | "home"
    | "access"
    | "enrolment"
    | "enrol"
    | "call"
    | "attempt"
    | "hear"
    | "agent"
    | "git"
    | "troubles"
    | "bridge"
  > {
  start(): void;
  /// `attempt`, of which only who is at that session hears when it failed.
  attemptAt<M extends keyof Requests>(
    at: string | undefined,
    method: M,
    params: Requests[M]["params"],
  ): Promise<Requests[M]["result"] | undefined>;
}

interface DaemonParts {
  toasts: Toasts;
  isListed: (session: string) => boolean;
  /// The daemon doesn't have a session that was to be shown.
  onMissing: (session: string) => void;
  openSetting: (key: string) => void;
  /// After every greeting: the first one, and those after a lost connection.
  onReady: () => void;
}

export function makeDaemon(
  host: Host,
  { toasts, isListed, onMissing, openSetting, onReady }: DaemonParts,
): Daemon {
  const [connection, setConnection] = createSignal<Connection>({ state: "connecting" });
  const [surface, setSurface] = createSignal("");
  const [workspace, setWorkspace] = createSignal("");
  const [home, setHome] = createSignal("");
  const states = makeStates();
  const handlers: Handlers = {
    ...states.handlers,
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
        keepStartCommand(hello.start_command);
        void devices.begin(hello.access ?? undefined);
        setWorkspace(host.workspace() || hello.workspace || "");
        if (hello.protocol_version !== PROTOCOL) toasts.add("warn", t("otherVersion"));
        onReady();
      },
    },
    makeHello(host),
  );
  const devices = new DeviceAccess(
    host.device,
    (method, params) => link.call(method, params),
    (why) => toasts.add("warn", why),
  );

  async function attemptAt<M extends keyof Requests>(
    at: string | undefined,
    method: M,
    params: Requests[M]["params"],
  ) {
    try {
      return await link.call(method, params);
    } catch (reason) {
      const missing = reason instanceof Refused ? findMissing(method, params) : "";
      if (missing) onMissing(missing);
      else if (reason instanceof Refused) tellRefusal(reason, at);
      else if (!(reason instanceof Lost)) toasts.add("error", (reason as Error).message, { at });
      else if (!QUIET.has(method)) toasts.add("warn", t(reason.wasSent ? "cutOff" : "notConnected"), { at });
      return undefined;
    }
  }

  /// The session that was to be shown, where no list has it; a board's own line may end by itself.
  function findMissing(method: keyof Requests, params: unknown): string {
    const session = (params as { session_id?: string }).session_id ?? "";
    return SHOWS.has(method) && !isViewed(session) && !isListed(session) ? session : "";
  }

  /// With the way to the setting that it is about.
  function tellRefusal(refused: Refused, at: string | undefined): void {
    const setting = settingOf(refused.said);
    const action = setting ? { label: t("openSetting"), act: () => openSetting(setting) } : undefined;
    toasts.add("error", say(refused.said, refused.message), { action, at });
  }

  return {
    start: () => link.start(),
    connection,
    retryNow: () => link.retryNow(),
    surface,
    workspace,
    home,
    access: devices.access,
    enrolment: devices.enrolment,
    enrol: (code) => devices.enrol(code),
    call: (method, params) => link.call(method, params),
    attempt: (method, params) => attemptAt(undefined, method, params),
    attemptAt,
    hear: (method, heard) => {
      const mine = { [method]: heard } as Handlers;
      Object.assign(handlers, mine);
      return () => handlers[method] === heard && delete handlers[method];
    },
    agent: states.agent,
    git: states.git,
    troubles: states.troubles,
    bridge: states.bridge,
  };
}

/// Of agents, of folders, and of the daemon itself.
function makeStates(): Pick<Room, "agent" | "git"> & {
  handlers: Handlers;
  troubles: Accessor<readonly DaemonNotice[]>;
  bridge: Accessor<BridgeState | undefined>;
} {
  const [agents, setAgents] = createSignal<ReadonlyMap<string, AgentState>>(new Map());
  const [git, setGit] = createSignal<ReadonlyMap<string, GitStatus | undefined>>(new Map());
  const [troubles, setTroubles] = createSignal<readonly DaemonNotice[]>([]);
  const [bridge, setBridge] = createSignal<BridgeState>();
  return {
    handlers: {
      "agent.state": ({ state }) => setAgents((all) => new Map(all).set(agentKey(state), state)),
      "workspace.state": ({ state }) =>
        setGit((all) => new Map(all).set(state.workspace, state.git ?? undefined)),
      "daemon.state": (state) => {
        setTroubles(state.notices);
        setBridge(state.bridge ?? undefined);
      },
    },
    agent: (of) => agents().get(agentKey(of)),
    git: (folder) => git().get(folder),
    troubles,
    bridge,
  };
}

function agentKey(of: { agent?: string; workspace: string }): string {
  return JSON.stringify([of.agent ?? "codex", of.workspace]);
}
