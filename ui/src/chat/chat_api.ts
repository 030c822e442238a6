// The messages of the demo's chat. Every call carries the token of the link that opened this page.
export interface ChatMessage {
  number: number;
  user: string; // empty: the relay
  text: string;
  file: { name: string; text: string } | null; // what one message can't hold
}

export interface ChatLog {
  user: string; // as whom this page writes
  desk: string; // the machine's own page
  items: readonly ChatMessage[];
}

/// `unauthorized`, or `unreachable`.
export class ChatRefused extends Error {}

export interface ChatApi {
  read(): Promise<ChatLog>;
  say(text: string): Promise<void>;
}

export function makeChatApi(token: string): ChatApi {
  async function call(method: "GET" | "POST", body?: string): Promise<unknown> {
    let answer: Response;
    try {
      answer = await fetch("/chat/messages", {
        method,
        body,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        cache: "no-store",
      });
    } catch {
      throw new ChatRefused("unreachable");
    }
    if (!answer.ok) throw new ChatRefused(answer.status === 401 ? "unauthorized" : "unreachable");
    return answer.json();
  }
  return {
    read: async () => (await call("GET")) as ChatLog,
    say: async (text) => void (await call("POST", JSON.stringify({ text }))),
  };
}
