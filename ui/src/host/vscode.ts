// An editor's webview as the host: the extension carries the frames, opens files and diffs, and keeps what is stored.
import { type Address, sayAddress } from "./address";
import type { DeviceKeys } from "./device_keys";
import { keepTakenKeys } from "./editor_keys";
import type { Host } from "./host";
import { START_ID, type Start, type ToEditor, type ToPage } from "./vscode_messages";

interface WebviewApi {
  postMessage(message: ToEditor): void;
  getState(): { shown?: string } | undefined;
  setState(state: { shown?: string }): void;
}

declare function acquireVsCodeApi(): WebviewApi;

export function isInEditor(): boolean {
  return typeof acquireVsCodeApi === "function";
}

export function makeVscodeHost(): Host {
  const api = acquireVsCodeApi();
  const start = readStart();
  const stored = new Map(Object.entries(start.stored));
  const heard = new Heard();
  const wires = new Wires((message) => api.postMessage(message));
  addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
    if (data.type === "stored") stored.set(data.key, data.value);
    else if (!wires.hear(data)) heard.tell(data);
  });
  const tellUse = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || isTyping(event)) api.postMessage({ type: "used" });
  };
  for (const event of USES) addEventListener(event, tellUse, { capture: true });
  keepTakenKeys();
  return {
    kind: "vscode",
    connect: () => wires.open() as unknown as WebSocket,
    workspace: () => start.workspace,
    takeArrival: () => (start.session === undefined ? start.workspace : ""),
    takeEnrolCode: () => "",
    device: NO_DEVICE,
    whyClosed: async () => wires.why,
    nextStep: () =>
      wires.step ? { label: wires.step, act: () => api.postMessage({ type: "step" }) } : undefined,
    isSignedOut: () => false,
    signOut: async () => false,
    fileUrl: (file) => start.fileBase + encodeURI(file.path).replace(/[?#]/g, encodeURIComponent),
    openExternal: (url) => api.postMessage({ type: "openExternal", url }),
    openFile(place, workspace) {
      api.postMessage({ type: "openFile", workspace, place });
      return true;
    },
    openDiff({ session, diffId, title, files }) {
      if (files) return false; // of one block, which the daemon keeps no diff of
      api.postMessage({ type: "openDiff", diff: { session, diffId, title } });
      return true;
    },
    copy: (text) => navigator.clipboard.writeText(text),
    saveFile: (name, _mediaType, text) => api.postMessage({ type: "saveFile", name, text }),
    load: (key) => stored.get(key) ?? null,
    save(key, value) {
      stored.set(key, value);
      api.postMessage({ type: "save", key, value });
    },
    shown: () => api.getState()?.shown,
    address: () => (start.session === undefined ? undefined : { session: start.session }),
    keepShown(session) {
      api.setState({ shown: session });
      api.postMessage({ type: "shown", session });
    },
    onAddress: (callback) => heard.on("show", ({ session }) => callback({ session }, 0)),
    linkTo: (address: Address) => sayAddress(address),
    onInsert: (callback) => heard.on("insert", ({ text }) => callback(text)),
    onContext(callback) {
      if (start.context) callback(start.context);
      heard.on("context", ({ context }) => callback(context));
    },
    isLookedAt: () => document.visibilityState === "visible" && document.hasFocus(),
    onLookedAt: watchLooking,
    mayNotify: () => "never", // the extension does, for every session at once
    askToNotify: async () => false,
    notify: () => undefined,
    setTitle: (title) => api.postMessage({ type: "title", title }),
    setTheme: followTheme(),
    languages: () => start.languages,
  };
}

/// What a person does in the page. Focus is none: where the palette has closed, the editor gives it to a tab.
const USES = ["pointerdown", "keydown"] as const;

/// F1 or Ctrl+Shift+P in a page that the editor gave the focus asks for the palette, and says nothing of the page.
function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !/^(F\d+|Escape|Control|Shift|Alt|Meta)$/.test(key);
}

function readStart(): Start {
  return JSON.parse(document.getElementById(START_ID)?.textContent ?? "") as Start;
}

/// An editor is at this machine: it needs no key of a device.
const NO_DEVICE: DeviceKeys = {
  canKeep: () => false,
  find: async () => undefined,
  make: () => Promise.reject(new Error("An editor keeps no key.")),
  forget: async () => undefined,
};

type Others = Exclude<ToPage, { wire: number } | { type: "stored" }>;

class Heard {
  private readonly by = new Map<string, (message: never) => void>();

  on<T extends Others["type"]>(type: T, act: (message: Extract<Others, { type: T }>) => void): void {
    this.by.set(type, act as (message: never) => void);
  }

  tell(message: ToPage): void {
    this.by.get(message.type)?.(message as never);
  }
}

/// What of a WebSocket the link uses.
interface Wire {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: (() => void) | null;
  send(frame: string): void;
  close(): void;
}

/// One connection after the other; only the latest is heard.
class Wires {
  why = "";
  step = ""; // the words of a button
  private latest = 0;
  private wire: Wire | undefined;

  constructor(private readonly post: (message: ToEditor) => void) {}

  open(): Wire {
    const number = ++this.latest;
    const wire: Wire = {
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (frame) => this.post({ type: "send", wire: number, frame }),
      close: () => {
        this.post({ type: "disconnect", wire: number });
        wire.onclose?.();
      },
    };
    this.wire = wire;
    this.post({ type: "connect", wire: number });
    return wire;
  }

  /// True where the message was about a connection.
  hear(message: ToPage): boolean {
    if (!("wire" in message)) return false;
    if (message.wire !== this.latest) return true;
    if (message.type === "opened") this.wire?.onopen?.();
    else if (message.type === "frame") this.wire?.onmessage?.({ data: message.frame });
    else {
      this.why = message.why;
      this.step = message.step ?? "";
      this.wire?.onclose?.();
    }
    return true;
  }
}

function watchLooking(callback: (looked: boolean) => void): () => void {
  const tell = () => callback(document.visibilityState === "visible" && document.hasFocus());
  const events = ["focus", "blur", "visibilitychange"] as const;
  for (const event of events) addEventListener(event, tell);
  return () => {
    for (const event of events) removeEventListener(event, tell);
  };
}

/// The editor's theme is the page's, and whether things move: what the person wished for in a browser does not
/// count here.
function followTheme(): Host["setTheme"] {
  const apply = () => {
    const root = document.documentElement;
    const kind = document.body.dataset.vscodeThemeKind ?? "";
    root.dataset.theme = kind.endsWith("light") ? "light" : "dark";
    root.toggleAttribute("data-contrast", kind.includes("high-contrast"));
    root.toggleAttribute("data-still", document.body.classList.contains("vscode-reduce-motion"));
  };
  const followed = ["data-vscode-theme-kind", "class"];
  new MutationObserver(apply).observe(document.body, { attributeFilter: followed });
  return apply;
}
