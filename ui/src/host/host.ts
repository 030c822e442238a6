// The host: what a page may ask of the browser tab or editor webview that shows it.
import type { FileEdit, LinkedFile } from "../model.gen";
import type { Address } from "./address";
import type { DeviceKeys } from "./device_keys";
import type { EditorContext, WantedDiff } from "./vscode_messages";

export type Theme = "system" | "light" | "dark" | "contrast";

export interface Place {
  path: string; // relative to the session's workspace
  line?: number; // from 1
  column?: number;
}

export interface Notice {
  title: string;
  body: string;
  tag: string; // one notice per tag
  onClick: () => void;
}

export interface NextStep {
  label: string;
  act(): void;
}

export interface Host {
  readonly kind: "browser" | "vscode";
  /// Opens the connection to the daemon.
  connect(): WebSocket;
  /// The folder that the page was opened for; "" if unknown.
  workspace(): string;
  /// The folder of the link that this page was just opened with, once; "" without one.
  takeArrival(): string;
  /// The code by which this device is to be enrolled, once; "" when it came by no such link.
  takeEnrolCode(): string;
  readonly device: DeviceKeys;
  /// Why the daemon does not answer, in a sentence for the person; "" when that is not known.
  whyClosed(): Promise<string>;
  /// What a person can do about it, where the host knows a step.
  nextStep?(): NextStep | undefined;
  /// Whether the daemon answers, and says that this page may not come in.
  isSignedOut(): boolean;
  /// Signs this browser out in all of its tabs; false if there was no reply.
  signOut(): Promise<boolean>;
  /// Where the content of a file is that the daemon gave a link to.
  fileUrl(file: LinkedFile): string;
  /// Outside of the page: another tab, the system's browser.
  openExternal(url: string): void;
  /// True when the host shows files itself (an editor); otherwise the page's own viewer does.
  openFile(place: Place, workspace: string): boolean;
  /// True when the host shows diffs itself; otherwise the page does, beside the log. `files`: of one block.
  openDiff(diff: WantedDiff & { files?: readonly FileEdit[] }): boolean;
  copy(text: string): Promise<void>;
  /// Hands a text to the person as a file of that name.
  saveFile(name: string, mediaType: string, text: string): void;
  load(key: string): string | null;
  save(key: string, value: string): void;
  /// The session that this window showed before a reload; undefined for a new window.
  shown(): string | undefined;
  /// What the address names; undefined where it names nothing.
  address(): Address | undefined;
  /// A session is shown from now on: the address says so, and Back leads to what was there before.
  keepShown(session: string): void;
  /// So many things are open over what is shown, for Back to close; only where there is a Back.
  keepOpen?(count: number): void;
  /// Back, Forward, or another address by hand; `open`: how many things are to stay open over it.
  onAddress(callback: (address: Address, open: number) => void): void;
  /// A link to a session, or to a block of it.
  linkTo(address: Address): string;
  /// Text for the prompt from outside of the page: an editor's selection, a problem, a file.
  onInsert(callback: (text: string) => void): void;
  /// What the person looks at beside the page, in an editor.
  onContext(callback: (context: EditorContext) => void): void;
  /// Whether a person is looking at the page now.
  isLookedAt(): boolean;
  onLookedAt(callback: (looked: boolean) => void): () => void;
  mayNotify(): "granted" | "denied" | "ask" | "never";
  askToNotify(): Promise<boolean>;
  notify(notice: Notice): void;
  /// The name and the mark of the tab, where there is one.
  setTitle(title: string, waiting: number): void;
  setTheme(theme: Theme): void;
  languages(): readonly string[];
}
