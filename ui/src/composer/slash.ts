// Slash commands as the daemon reads them, and the few that only a page can carry out.

export interface Slash {
  name: string; // with its slash
  argument: string;
}

/// What the page does itself; everything else the daemon carries out, or calls unknown.
export type PageCommand = "diff" | "resume" | "rename";

/// These begin a prompt: files and context go along with them.
const PROMPTS: readonly string[] = ["/plan", "/patch"];

/// Undefined when it is a prompt: only a slash at the very start makes a command, and a path is none.
export function parseSlash(text: string): Slash | undefined {
  if (!text.startsWith("/")) return undefined;
  const space = text.indexOf(" ");
  const name = space < 0 ? text.trim() : text.slice(0, space);
  if (name.includes("/", 1) || name.includes("\n")) return undefined;
  return { name, argument: space < 0 ? "" : text.slice(space + 1).trim() };
}

export function isPrompt(text: string): boolean {
  const slash = parseSlash(text);
  return !slash || (PROMPTS.includes(slash.name) && slash.argument !== "");
}

export function findPageCommand(text: string): PageCommand | undefined {
  const slash = parseSlash(text);
  switch (slash?.name) {
    case "/diff":
      return "diff";
    case "/resume":
      return "resume";
    case "/rename":
      return slash.argument ? undefined : "rename";
    default:
      return undefined;
  }
}
