// Deceptive characters, spelled out wherever a person reads a name.
import { say } from "../i18n/said";
import { Refused } from "../link/connection";
import { spell } from "./spelt";

// Direction overrides, zero widths and controls; a line break and a tab are honest, joiners make real words.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
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
