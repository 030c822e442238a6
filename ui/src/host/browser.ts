// A browser's tab as the host: its storage, its clipboard, its notifications, its title and its mark.
import { parseAddress, sayAddress } from "./address";
import { makeDeviceKeys } from "./device_keys";
import { makeMark } from "./favicon";
import { beginHistory, keepOpen, keepShown, onAddress } from "./history";
import type { Host, Notice, Theme } from "./host";
import { signOut, storedKey, storedWorkspace, takeArrival, takeEnrolCode } from "./signin";
import { startCommand } from "./start_command";
import { t } from "./texts";

const PREFIX = "bascule:";
const SHOWN = `${PREFIX}shown`;
const MAX_VALUE = 4_000_000; // characters of one stored value; a browser gives some 5 million in all
const WHY_MS = 1_500;
const OPENABLE = new Set(["http:", "https:", "mailto:"]);

export function makeBrowserHost(): Host {
  const drawMark = makeMark();
  beginHistory();
  return {
    kind: "browser",
    connect,
    workspace: storedWorkspace,
    takeArrival,
    takeEnrolCode,
    device: makeDeviceKeys(),
    whyClosed,
    isSignedOut: () => isSignedOut,
    signOut,
    fileUrl: (file) => `./files/${encodeURIComponent(file.file_id)}`,
    openExternal,
    openFile: () => false,
    openDiff: () => false,
    copy,
    saveFile,
    load,
    save,
    shown,
    address: () => parseAddress(location.hash),
    keepShown: (session) => {
      keepShown(session);
      rememberShown(session);
    },
    keepOpen,
    onAddress,
    linkTo: (address) => new URL(sayAddress(address), location.href).href,
    onInsert: () => undefined,
    onContext: () => undefined,
    isLookedAt,
    onLookedAt,
    mayNotify,
    askToNotify: async () =>
      mayNotify() !== "never" && (await Notification.requestPermission()) === "granted",
    notify,
    setTitle(title, waiting) {
      document.title = withCount(title, waiting);
      drawMark(waiting);
    },
    setTheme: makeThemeSetter(),
    languages: () => navigator.languages ?? [navigator.language],
  };
}

export function withCount(title: string, waiting: number): string {
  return waiting > 0 ? `(${waiting}) ${title}` : title;
}

function connect(): WebSocket {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  // An upgrade takes no headers of ours: the key goes as a protocol, of which the server chooses the first.
  const socket = new WebSocket(`${scheme}//${location.host}/ws`, ["bascule", `bascule.key.${storedKey()}`]);
  socket.addEventListener("open", () => {
    isSignedOut = false;
  });
  return socket;
}

let isSignedOut = false; // by the daemon's own word

/// A closed socket does not say why; a plain request does.
async function whyClosed(): Promise<string> {
  try {
    const answer = await fetch("./status", {
      cache: "no-store",
      headers: { "X-Bascule-Key": storedKey() },
      signal: AbortSignal.timeout(WHY_MS),
    });
    isSignedOut = answer.status === 401;
    if (answer.ok) return "";
    return answer.status === 401
      ? t("noKey", { command: startCommand() })
      : t("refused", { status: answer.status });
  } catch {
    return t("notRunning", { command: startCommand() });
  }
}

function openExternal(url: string): void {
  if (URL.canParse(url) && OPENABLE.has(new URL(url).protocol))
    window.open(url, "_blank", "noopener,noreferrer");
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByHand(text); // not a secure origin, or the browser wants a gesture of its own
  }
}

function copyByHand(text: string): void {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  (before?.closest("dialog") ?? document.body).append(field); // outside of a modal dialog nothing can be chosen
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error("The browser blocked copying.");
}

function saveFile(name: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000); // the browser reads it after the click
}

/// Storage can be forbidden, full or cleared at any time; the page then only forgets.
function load(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

function save(key: string, value: string): void {
  if (value.length > MAX_VALUE) return;
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    return;
  }
}

/// Of this window alone: two of one browser show what each of them showed.
function shown(): string | undefined {
  try {
    return sessionStorage.getItem(SHOWN) ?? undefined;
  } catch {
    return undefined;
  }
}

function rememberShown(session: string): void {
  try {
    sessionStorage.setItem(SHOWN, session);
  } catch {
    return;
  }
}

function isLookedAt(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

function onLookedAt(callback: (looked: boolean) => void): () => void {
  const tell = () => callback(isLookedAt());
  document.addEventListener("visibilitychange", tell);
  window.addEventListener("focus", tell);
  window.addEventListener("blur", tell);
  return () => {
    document.removeEventListener("visibilitychange", tell);
    window.removeEventListener("focus", tell);
    window.removeEventListener("blur", tell);
  };
}

function mayNotify(): ReturnType<Host["mayNotify"]> {
  if (typeof Notification === "undefined" || !window.isSecureContext) return "never";
  return Notification.permission === "default" ? "ask" : Notification.permission;
}

function notify(notice: Notice): void {
  if (mayNotify() !== "granted") return;
  try {
    const shown = new Notification(notice.title, { body: notice.body, tag: notice.tag, icon: "./icon.svg" });
    shown.onclick = () => {
      window.focus();
      notice.onClick();
      shown.close();
    };
  } catch {
    return; // some phones let only a service worker show them
  }
}

function makeThemeSetter(): Host["setTheme"] {
  let wished: Theme = "system";
  const more = window.matchMedia("(prefers-contrast: more)");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const apply = () => {
    const root = document.documentElement;
    root.toggleAttribute("data-still", still.matches);
    root.toggleAttribute("data-contrast", wished === "contrast" || (wished === "system" && more.matches));
    if (wished === "light" || wished === "dark") root.dataset.theme = wished;
    else delete root.dataset.theme;
  };
  more.addEventListener("change", apply);
  still.addEventListener("change", apply);
  return (theme) => {
    wished = theme;
    apply();
  };
}
