// The command that continues a session in a terminal.

const COMMANDS: Record<string, string> = { codex: "codex resume", claude: "claude --resume" };
// What a shell leaves as it is and a program takes for no option.
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/// None for other agents, and for an id that a shell could misread.
export function findResume(agent: string, id: string): string | undefined {
  const command = Object.hasOwn(COMMANDS, agent) ? COMMANDS[agent] : undefined;
  return command && PLAIN_ID.test(id) ? `${command} ${id}` : undefined;
}
