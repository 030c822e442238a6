// Where a text is found in a file's lines.
import type { Span } from "../diff/rows/words";
import type { FileLine } from "./lines";

export const MAX_MATCHES = 5_000;

export interface Match extends Span {
  readonly line: number; // from 0
}

/// Without regard to case; the first `MAX_MATCHES`.
export function findMatches(lines: readonly FileLine[], query: string): Match[] {
  const matches: Match[] = [];
  const wanted = query.toLowerCase();
  if (wanted === "") return matches;
  for (const [line, { text }] of lines.entries()) {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      matches.push({ line, start: at, end: at + wanted.length });
      if (matches.length >= MAX_MATCHES) return matches;
    }
  }
  return matches;
}

/// The folders of a path and itself, each with where it leads.
export function crumbsOf(path: string): { name: string; path: string }[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.map((name, i) => ({ name, path: parts.slice(0, i + 1).join("/") }));
}
