// The room: all that the page shows and can do, handed to every component by `useRoom()`.
import { type Accessor, createContext, useContext } from "solid-js";
import type { Address } from "../host/address";
import type { Host, Place } from "../host/host";
import type { EditorContext } from "../host/vscode_messages";
import type { Connection } from "../link/connection";
import type {
  Access,
  AgentState,
  Block,
  BridgeState,
  Card,
  ContextRequest,
  DaemonNotice,
  FileEdit,
  GitStatus,
  Notifications,
  Requests,
  Session,
  UiSelection,
  WaitingAsk,
} from "../model.gen";

import type { Enrolment } from "./access";

export type { Enrolment } from "./access";

export type Head = Omit<Session, "blocks">;

export interface Outlined {
  readonly id: string;
  readonly kind: Block["kind"];
  readonly run: string; // "" outside of runs
  readonly isGoing: boolean;
}

/// A session as the daemon has it, folded from its Changes. Every read is tracked on its own.
export interface Mirror {
  readonly id: string;
  head: Accessor<Head>;
  /// Ids of the blocks, in order.
  order: Accessor<readonly string[]>;
  /// What the layout of the log needs to know of every block; it changes far less often than they do.
  outline: Accessor<readonly Outlined[]>;
  /// One block; only those who show it hear of its changes.
  block(id: string): Block | undefined;
}

export type { Connection } from "../link/connection";
export { Lost, Refused } from "../link/connection";

export interface Toast {
  id: number;
  level: "info" | "warn" | "error";
  message: string;
  count: number; // the same one again
  action?: ToastAction;
  at?: string; // the session that it is about, or "" for Home; everywhere without it
}

export interface ToastAction {
  label: string;
  act: () => void;
}

/// Where questions open that belong to no conversation.
export const MACHINE = "machine";

export interface Tab {
  id: string; // of the session
  label: string; // its title, short: "app #1" for "app (0199c2d4)", and "fix it #2" for the second of that title
  title: string;
}

/// A diff to look at: files that carry their hunks, or a text. With an id it can be applied.
export interface DiffBeside {
  kind: "diff";
  title: string;
  unified: string;
  files?: readonly FileEdit[];
  diffId?: string;
  session: string;
}

/// What is shown beside the log.
export type Beside = DiffBeside | { kind: "review"; session: string; run: string }; // what one run changed; "" is the latest

/// An overlay on top of the log.
export type Overlay =
  | { kind: "file"; session: string; place: Place }
  | { kind: "palette"; ahead: () => string } // sessions, texts, actions, commands and settings, by their words
  | { kind: "rename"; session: string }
  | { kind: "settings"; at?: string } // one of them to go to: a key, or the name of a wish
  | { kind: "enrol"; code: string } // this device; without a code the person enters one
  | { kind: "help" }
  | { kind: "folders" } // to choose one for a new session
  | { kind: "deleted" } // sessions that can be restored
  | { kind: "image"; url: string; caption: string };

export interface Draft {
  text: string;
  files: readonly DraftFile[];
  context: ContextRequest;
}

export interface DraftFile {
  name: string;
  path: string; // where the daemon keeps it, also after a restart
  mediaType: string;
}

export interface Room {
  readonly host: Host;
  connection: Accessor<Connection>;
  retryNow(): void;
  /// Our own name among those who may drive a session.
  surface: Accessor<string>;
  /// The folder that the daemon was opened for.
  workspace: Accessor<string>;
  /// The person's own folder; "" until the daemon has sent it.
  home: Accessor<string>;

  /// What this page may do here; undefined until the daemon has said it.
  access: Accessor<Access | undefined>;
  enrolment: Accessor<Enrolment>;
  /// Make a key and offer it; a person at the machine says yes or no.
  enrol(code: string): Promise<void>;

  /// Ask the daemon; rejects with `Refused` (with the reason) or `Lost` (no connection).
  call<M extends keyof Requests>(method: M, params: Requests[M]["params"]): Promise<Requests[M]["result"]>;
  /// The same, with a toast instead of a rejection; undefined when it failed.
  attempt<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
  ): Promise<Requests[M]["result"] | undefined>;

  /// From here on, each notification of a kind that the room itself has no use for; gives the way to stop.
  hear<M extends keyof Notifications>(
    method: M,
    heard: (params: Notifications[M]["params"]) => void,
  ): () => void;

  cards: Accessor<readonly Card[]>; // the latest first
  /// Whether the daemon has sent its list of sessions.
  listed: Accessor<boolean>;
  card(session: string): Card | undefined;
  /// What a session is called on this page, in each place the same.
  name(card: Pick<Card, "session_id" | "title">): string;
  tabs: Accessor<readonly Tab[]>; // what was opened here and is not hidden, in that order
  active: Accessor<string>; // session, or "" on the home page
  /// Whether the person has looked at a session as it is now.
  isSeen(card: Card): boolean;
  /// From here on, everything up to now counts as looked at.
  lookAtAll(): void;
  /// Has the daemon send what happens in a session, without showing it. The ones asked for longest ago make room.
  follow(session: string): void;
  /// Shows a session; a hidden one comes back among the tabs.
  activate(session: string): void;
  /// Shows a session at one of its blocks, as a link to it does.
  goTo(address: Address): void;
  /// A block that the address leads to, until it was shown.
  target: Accessor<Address | undefined>;
  reached(): void;
  /// Whether the daemon doesn't have the session that is shown.
  isMissing: Accessor<boolean>;
  create(workspace?: string): Promise<string | undefined>;
  hide(session: string): void;
  /// The mirror of a session that is watched; undefined until its snapshot is there.
  mirror(session: string): Mirror | undefined;
  /// The agent of a session, as it is in that session's folder.
  agent(of: Pick<Session, "agent" | "workspace">): AgentState | undefined;
  /// The branch and the changed files of a folder; undefined where there is no repository, or nobody looked.
  git(folder: string): GitStatus | undefined;
  /// What is wrong with the daemon itself.
  troubles: Accessor<readonly DaemonNotice[]>;
  /// The connection to a relay; undefined where none was joined.
  bridge: Accessor<BridgeState | undefined>;

  /// Asks of all sessions that wait for a person.
  inbox: Accessor<readonly WaitingAsk[]>;

  /// Overlays on top of the log, the topmost last.
  overlays: Accessor<readonly Overlay[]>;
  /// The uppermost.
  overlay: Accessor<Overlay | undefined>;
  /// Lays it over the others, where another of the uppermost's kind is replaced; or shows it beside its session's log.
  show(shown: Overlay | Beside): void;
  /// Takes the uppermost away.
  close(): void;
  beside: Accessor<Beside | undefined>;
  closeBeside(): void;
  /// The id of the Ask that what is beside the log shows itself; "" when there is none.
  claimedAsk: Accessor<string>;
  claimAsk(id: string): void;
  /// A link's or a block's file: the host's editor, or our own viewer.
  openFile(session: string, place: Place): void;

  toasts: Accessor<readonly Toast[]>;
  /// What is about a session is shown in it alone: what names one, and what went wrong in the active one.
  toast(level: Toast["level"], message: string, action?: ToastAction, session?: string): void;
  dismiss(id: number): void;

  draft(session: string): Draft;
  setDraft(session: string, draft: Partial<Draft>): void;
  /// What was sent in this session, the oldest first.
  sent(session: string): readonly string[];
  remember(session: string, text: string): void;

  /// Whether a `details` is open; kept over a reload. `key` is the block's id and what is in it.
  isOpen(session: string, key: string, otherwise: boolean): boolean;
  setOpen(session: string, key: string, open: boolean): void;

  /// Lines picked in the file viewer: what `@selection` means here.
  selection: Accessor<UiSelection | undefined>;
  select(selection: UiSelection | undefined): void;
  /// What the person looks at in the editor that shows this page; undefined in a browser.
  editor: Accessor<EditorContext | undefined>;

  /// Small wishes of the person: theme, language, sidebar, diff layout.
  wish(name: string): string | undefined;
  setWish(name: string, value: string): void;
}

const RoomContext = createContext<Room>();
export const RoomProvider = RoomContext.Provider;

export function useRoom(): Room {
  const room = useContext(RoomContext);
  if (!room) throw new Error("useRoom() outside of the room");
  return room;
}
