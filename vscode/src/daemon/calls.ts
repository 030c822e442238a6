// Calls to the daemon and their answers, over frames that somebody else carries.
import type { Notifications, Requests } from "../../../ui/src/model.gen";

const MAX_PENDING = 1_000;
const METHOD_NOT_FOUND = -32601;

/// The daemon said no, in a sentence for the person.
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export class Unreachable extends Error {}

/// What a person reads where nothing answers: in their language, which only the editor knows.
export interface LossWords {
  unreachable: string;
  closed: string;
  lost: string;
  busy: string; // too many calls are open
}

interface Waiting {
  resolve(result: never): void;
  reject(why: Error): void;
}

interface Frame {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

export type Notified = <M extends keyof Notifications>(method: M, params: Notifications[M]["params"]) => void;

export class Calls {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(
    private readonly send: (frame: string) => void,
    private readonly onNotified: Notified,
    private readonly busy: string,
  ) {}

  call<M extends keyof Requests>(method: M, params: Requests[M]["params"]): Promise<Requests[M]["result"]> {
    if (this.waiting.size >= MAX_PENDING) return Promise.reject(new Unreachable(this.busy));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  hear(text: string): void {
    const frame = JSON.parse(text) as Frame;
    if (frame.method !== undefined) {
      if (frame.id !== undefined) this.refuse(frame.id, frame.method);
      else this.onNotified(frame.method as keyof Notifications, frame.params as never);
    } else if (frame.id !== undefined) this.settle(frame.id, frame);
  }

  /// Nobody answers any more.
  lose(why: string): void {
    const left = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of left) one.reject(new Unreachable(why));
  }

  /// The extension mirrors state and is asked nothing: who asks anyway is not left waiting.
  private refuse(id: number, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `The extension does not answer ${method}.` };
    this.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
  }

  private settle(id: number, frame: Frame): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (frame.error) waiting?.reject(new Refused(frame.error.code, frame.error.message));
    else waiting?.resolve(frame.result as never);
  }
}
