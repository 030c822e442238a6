// Agents as people call them.

const NAMES: Record<string, string> = { codex: "Codex", claude: "Claude" };

export function sayAgent(agent: string | undefined): string {
  const name = agent || "codex";
  return NAMES[name] ?? name;
}
