// Agents as people call them.

const NAMES: Record<string, string> = { codex: "Codex", claude: "Claude" };

/// A session that says no agent is the default one's: what is default is not sent.
export function agentOf(session: { agent?: string }): string {
  return session.agent || "codex";
}

export function sayAgent(agent: string | undefined): string {
  const name = agentOf({ agent });
  return NAMES[name] ?? name;
}
