// What the agent of a session can do: a control for what it cannot do is not shown.
import type { AgentCapabilities } from "../../model.gen";

export type Capability = keyof AgentCapabilities;

/// Of a session or its card. What is not said, it can.
export function can(
  agent: { capabilities?: AgentCapabilities | undefined } | undefined,
  what: Capability,
): boolean {
  return agent?.capabilities?.[what] ?? true;
}
