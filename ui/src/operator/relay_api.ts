// What a relay says of itself, and what its operator can do. Every call carries the operations token.
export interface Machine {
  machineId: string;
  connected: boolean;
  connectedAt: string | null;
  node: string;
  enrolledAt: string;
  revoked: boolean;
}

export interface RelayCommand {
  commandId: string;
  userId: string;
  machineId: string;
  kind: string;
  state: string;
  cancelled: boolean;
  ageMs: number;
}

export interface AuditLine {
  at: string;
  step: string;
  commandId: string;
  userId: string;
  machineId: string;
  status: string;
  detail: string;
}

export interface ShownCommand {
  machines: readonly Machine[];
  commands: readonly RelayCommand[];
  audit: readonly AuditLine[];
}

export interface CommandFilter {
  userId: string;
  machineId: string;
  status: string;
}

export interface Code {
  machineId: string;
  code: string;
  expiresAt: string;
}

/// Why a call failed: `unauthorized`, a code of the relay, or `unreachable`.
export class RelayRefused extends Error {}

export interface RelayApi {
  show(filter: CommandFilter): Promise<ShownCommand>;
  makeCode(machine: string): Promise<Code>;
  revoke(machine: string): Promise<void>;
  cancel(command: string): Promise<void>;
  retry(command: string): Promise<void>;
}

const AUDIT_LINES = 200;

export function makeRelayApi(token: string): RelayApi {
  async function call<T>(method: "GET" | "POST", path: string): Promise<T> {
    let answer: Response;
    try {
      answer = await fetch(path, {
        method,
        headers: { authorization: `Bearer ${token}` },
        cache: "no-store",
      });
    } catch {
      throw new RelayRefused("unreachable");
    }
    const said: unknown = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new RelayRefused(readCode(said) ?? String(answer.status));
    return said as T;
  }
  const named = (name: string) => encodeURIComponent(name);
  return {
    async show(filter) {
      const wanted = new URLSearchParams({ ...filter, limit: String(AUDIT_LINES) });
      const [machines, commands, audit] = await Promise.all([
        call<{ items: Machine[] }>("GET", "/machines"),
        call<{ items: RelayCommand[] }>("GET", "/inflight"),
        call<{ items: AuditLine[] }>("GET", `/audit/recent?${wanted}`),
      ]);
      return { machines: machines.items, commands: commands.items, audit: audit.items };
    },
    makeCode: (machine) => call("POST", `/machines/${named(machine)}/code`),
    revoke: (machine) => call("POST", `/machines/${named(machine)}/revoke`),
    cancel: (command) => call("POST", `/commands/${named(command)}/cancel`),
    retry: (command) => call("POST", `/commands/${named(command)}/retry`),
  };
}

function readCode(said: unknown): string | undefined {
  const code = (said as { error?: unknown } | null)?.error;
  return typeof code === "string" ? code : undefined;
}
