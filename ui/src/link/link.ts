// The link: JSON-RPC over one socket that comes back by itself and says truthfully whether it is there.
import { readSaid } from "../i18n/said";
import type { Notifications, Requests } from "../model.gen";
import { type Connection, Lost, Refused } from "./connection";

const BEAT_MS = 600; // the line is asked this often whether anybody is there
const MISSED_BEATS = 2; // without a reply, and the daemon counts as silent: noticed within three beats
const GONE_BEATS = 17; // some ten seconds of silence: the line is given up, and another one dialled
const HELLO_MS = 10_000; // until a new line has brought an answer
const RETRY_MS = [100, 300, 700, 1_500, 3_000, 5_000];
const MAX_PENDING = 1_000;
const METHOD_NOT_FOUND = -32601;

export interface LinkHost {
  connect(): WebSocket;
  /// Why it does not answer, in the words of the host; asked after a connection failed.
  whyClosed(): Promise<string>;
}

export interface Listener {
  onConnection(connection: Connection): void;
  /// Connected and introduced; what was watched is to be watched again.
  onReady(hello: Requests["initialize"]["result"]): void;
  onNotify<M extends keyof Notifications>(method: M, params: Notifications[M]["params"]): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(reason: Error): void;
}

interface Frame {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export class Link {
  private socket: WebSocket | undefined;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private tries = 0;
  private missed = 0; // beats since the last ping without a reply
  private silent = false;
  private ready = false;
  private timer: ReturnType<typeof setTimeout> | undefined; // until the next try
  private patience: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly host: LinkHost,
    private readonly listener: Listener,
    private readonly hello: Requests["initialize"]["params"],
  ) {}

  start(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.listener.onConnection({ state: "connecting" });
    const socket = this.host.connect();
    this.socket = socket;
    socket.onopen = () => this.introduce();
    socket.onmessage = (event) => this.hear(String(event.data));
    socket.onclose = () => this.closed(socket);
    this.patience = setTimeout(() => this.giveUp(), HELLO_MS);
  }

  retryNow(): void {
    if (this.timer !== undefined) this.start();
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.patience);
    clearInterval(this.beat);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  call<M extends keyof Requests>(method: M, params: Requests[M]["params"]): Promise<Requests[M]["result"]> {
    if (!this.ready && method !== "initialize") return Promise.reject(new Lost());
    if (this.waiting.size >= MAX_PENDING) return Promise.reject(new Lost());
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.socket?.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }, wellFormed));
    });
  }

  private introduce(): void {
    this.call("initialize", this.hello).then(
      (hello) => this.introduced(hello),
      () => this.socket?.close(),
    );
  }

  private introduced(hello: Requests["initialize"]["result"]): void {
    this.ready = true;
    clearTimeout(this.patience);
    this.missed = 0;
    this.beat = setInterval(() => this.listen(), BEAT_MS);
    this.listener.onConnection({ state: "open" });
    this.listener.onReady(hello);
  }

  /// A socket may be open with nothing behind it: ping, and report silence.
  private listen(): void {
    this.tries = 0; // it has held for a while
    if (this.missed > 0 && this.missed++ === MISSED_BEATS) this.tellSilence();
    if (this.missed > GONE_BEATS) return this.giveUp();
    if (this.missed > 0) return;
    this.missed = 1;
    this.call("daemon.ping", {}).catch(() => undefined);
  }

  private tellSilence(): void {
    this.silent = true;
    this.listener.onConnection({ state: "silent" });
  }

  /// A line whose other end has gone without a word may stay open for many minutes; its end is not waited for.
  private giveUp(): void {
    const socket = this.socket;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.closed(socket);
  }

  private hear(text: string): void {
    this.missed = 0;
    if (this.silent) this.listener.onConnection({ state: "open" });
    this.silent = false;
    const frame = JSON.parse(text) as Frame;
    if (frame.method !== undefined) {
      if (frame.id !== undefined) this.refuse(frame.id, frame.method);
      else this.listener.onNotify(frame.method as keyof Notifications, frame.params as never);
    } else if (frame.id !== undefined) this.settle(frame.id, frame);
  }

  /// A surface that mirrors state is asked nothing: who asks anyway is not left waiting.
  private refuse(id: number, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `The page does not answer ${method}.` };
    this.socket?.send(JSON.stringify({ jsonrpc: "2.0", id, error }, wellFormed));
  }

  private settle(id: number, frame: Frame): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (frame.error)
      waiting?.reject(new Refused(frame.error.code, frame.error.message, readSaid(frame.error.data)));
    else waiting?.resolve(frame.result);
  }

  private closed(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.ready = this.silent = false;
    clearInterval(this.beat);
    clearTimeout(this.patience);
    for (const waiting of this.waiting.values()) waiting.reject(new Lost(true));
    this.waiting.clear();
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)] ?? 0;
    const retryAtMs = Date.now() + wait;
    this.timer = setTimeout(() => this.start(), wait);
    this.listener.onConnection({ state: "lost", why: "", retryAtMs });
    this.host.whyClosed().then((why) => {
      if (socket === this.socket && why) this.listener.onConnection({ state: "lost", why, retryAtMs });
    });
  }
}

/// Half a character, as a cut emoji leaves it, is in no JSON that others read: its sign goes instead.
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
}
