// Deceptive characters, spelled out wherever a person reads a name, and more strictly where an approval depends on it.
import { say } from "../i18n/said";
import { Refused } from "../link/connection";

// Direction overrides, zero widths and controls; a line break and a tab are honest, joiners make real words.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
// All that draws nothing, as Python's core.plain has it.
const HIDING =
  /[\p{C}\p{Z}]|[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
const HONEST = " \n\t\u3000"; // white space that shows what it is

const MAX_VISIBLE = 20_000; // characters: nobody reads a longer name, and laying it out takes a browser seconds

/// For names, titles and short texts.
export function visible(text: string): string {
  const shown = text.length > MAX_VISIBLE ? `${text.slice(0, MAX_VISIBLE)}…` : text;
  return shown.replace(HIDDEN, spell);
}

/// Why something failed, for a person.
export function sayFault(fault: unknown): string {
  if (fault instanceof Refused) return visible(say(fault.said, fault.message));
  return visible(fault instanceof Error ? fault.message : String(fault));
}

/// What a yes rests on, as it is: nothing taken out, and every character that hides or draws nothing spelt.
export function spelt(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(HIDING, (char) => (HONEST.includes(char) ? char : spell(char)));
}

/// One line of it: for paths, hosts and addresses.
export function speltLine(text: string): string {
  return spelt(text).replace(/[\n\t]/g, spell);
}

function spell(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/// One line for a label: the first `limit` characters, an ellipsis where there were more.
export function shorten(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
  const cut = line.length > limit || text.length > limit * 4;
  return cut ? `${line.slice(0, limit - 1).trimEnd()}…` : line;
}
