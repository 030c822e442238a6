// Places in files, as a prompt names them: `@path#L3-L7`, relative to the folder, lines from 1.
import { posix, relative, sep } from "node:path";

export interface LineRange {
  start: { line: number; character: number }; // from 0, as the editor counts
  end: { line: number; character: number };
}

/// With slashes; undefined outside of the folder.
export function relativeTo(folder: string, file: string): string | undefined {
  const way = relative(folder, file);
  if (!way || way.startsWith("..") || posix.isAbsolute(way) || /^[a-z]:/i.test(way)) return undefined;
  return way.split(sep).join("/");
}

/// A selection that ends at the start of a line ends before it.
export function mention(path: string, lines?: LineRange): string {
  if (!lines) return `@${path}`;
  const first = lines.start.line + 1;
  const isBefore = lines.end.character === 0 && lines.end.line > lines.start.line;
  const last = isBefore ? lines.end.line : lines.end.line + 1;
  return first === last ? `@${path}#L${first}` : `@${path}#L${first}-L${last}`;
}

/// As a block of a prompt, which no line of the text itself ends.
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}\n`;
}

/// Each file once: those that were looked at, the latest first, then the others in their order.
export function latestFirst(files: readonly string[], recent: readonly string[]): string[] {
  const open = new Set(files);
  return [...new Set([...recent.filter((file) => open.has(file)), ...files])];
}
