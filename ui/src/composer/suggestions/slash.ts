// Slash commands as the daemon reads them, and the few that only a page can carry out.

export interface Slash {
  name: string; // with its slash
  argument: string;
}

/// What the page does itself; everything else the daemon carries out, or calls unknown.
export type PageCommand = "diff" | "resume" | "rename";

/// These begin a prompt: files and context go along with them.
const PROMPTS: readonly string[] = ["/plan", "/patch"];

/// These take text, which may start on the next line.
const WITH_WORDS: readonly string[] = [...PROMPTS, "/rename", "/test", "/model"];

/// Undefined when it is a prompt: only a slash at the very start makes a command, and a path is none.
export function parseSlash(text: string): Slash | undefined {
  const [, name = "", gap = "", rest = ""] = /^(\/\S*)(\s*)(.*)$/s.exec(text) ?? [];
  const argument = rest.trim();
  if (!name || name.includes("/", 1)) return undefined;
  if (gap.includes("\n") && argument && !WITH_WORDS.includes(name)) return undefined; // the beginning of a text
  return { name, argument };
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
