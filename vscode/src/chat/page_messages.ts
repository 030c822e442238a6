// What a page says to the extension, checked: a script in it that is not ours could say anything, at any length.
import type { ToEditor } from "../../../ui/src/host/vscode_messages";
import { MAX_FRAME } from "./outgoing";

const MAX_NAME = 4_096; // characters of an id, a path, a title
const MAX_KEY = 200; // of what is stored
const MAX_URL = 65_536;

type Check = (value: unknown) => boolean;

const text =
  (most: number): Check =>
  (value) =>
    typeof value === "string" && value.length <= most;
const number: Check = (value) => Number.isSafeInteger(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const object =
  (fields: Record<string, Check>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));

const name = text(MAX_NAME);
const FIELDS: { [T in ToEditor["type"]]: Check } = {
  connect: object({ wire: number }),
  send: object({ wire: number, frame: text(MAX_FRAME) }),
  disconnect: object({ wire: number }),
  save: object({ key: text(MAX_KEY), value: text(MAX_FRAME) }),
  shown: object({ session: name }),
  used: object({}),
  step: object({}),
  title: object({ title: text(MAX_FRAME) }),
  openFile: object({
    workspace: name,
    place: object({ path: name, line: maybe(number), column: maybe(number) }),
  }),
  openDiff: object({ diff: object({ session: name, diffId: maybe(name), title: text(MAX_FRAME) }) }),
  openExternal: object({ url: text(MAX_URL) }),
  saveFile: object({ name, text: text(MAX_FRAME) }),
};

/// Undefined for what the page never says.
export function parseMessage(said: unknown): ToEditor | undefined {
  const type = (said as { type?: unknown } | null | undefined)?.type;
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) return undefined;
  return FIELDS[type as ToEditor["type"]](said) ? (said as ToEditor) : undefined;
}
