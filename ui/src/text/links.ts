// Links: the little that an address from outside may do here.
import type { Place } from "../host/host";

export type TextLink = { kind: "external"; url: string } | { kind: "file"; place: Place };

const MAX_ADDRESS = 4_096;
const EXTERNAL = /^(https?:\/\/[^/]|mailto:[^/])/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const LINES = /^L(\d{1,9})(?:C(\d{1,9}))?(?:-.*)?$/; // L10, L10C5, L10-L20
const LINE_TAIL = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/; // src/a.py:10:5, as agents write it
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSEEN = /[\u0000-\u001f\u007f\\]/;

/// Undefined: it stays text. `workspace` is the session's folder; an absolute path inside it is made relative.
export function parseLink(address: string, workspace = ""): TextLink | undefined {
  if (!address || address.length > MAX_ADDRESS || UNSEEN.test(address)) return undefined;
  if (EXTERNAL.test(address)) return parseExternal(address);
  const place = parsePlace(address);
  return place && { kind: "file", place: { ...place, path: makeRelative(place.path, workspace) } };
}

function parseExternal(address: string): TextLink | undefined {
  return URL.canParse(address) ? { kind: "external", url: address } : undefined;
}

function parsePlace(address: string): Place | undefined {
  const [before = "", fragment = ""] = splitOnce(address, "#");
  const path = decode(before);
  if (!path || UNSEEN.test(path) || path.startsWith("//")) return undefined;
  const tail = LINE_TAIL.exec(path);
  if (tail?.[1] && /[./]/.test(tail[1]))
    return SCHEME.test(tail[1]) ? undefined : makePlace(tail[1], tail[2], tail[3]);
  if (SCHEME.test(path)) return undefined;
  const lines = LINES.exec(fragment);
  return makePlace(path, lines?.[1], lines?.[2]);
}

function makePlace(path: string, line: string | undefined, column: string | undefined): Place {
  return {
    path,
    ...(line !== undefined && { line: Math.max(1, Number(line)) }),
    ...(column !== undefined && { column: Math.max(1, Number(column)) }),
  };
}

/// `/README.md` is relative to the workspace, not to the machine's root.
function makeRelative(path: string, workspace: string): string {
  const root = workspace.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = root && path.startsWith(`${root}/`) ? path.slice(root.length) : path;
  return inside.replace(/^\/+/, "").replace(/^(\.\/)+/, "");
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // a broken escape is no path
  }
}
