// The extension's own line to the daemon: it comes back by itself, and says why when it cannot.
import type { Notifications, Requests } from "../../../ui/src/model.gen";
import { Bridge, type BridgeEnd, type Place } from "./bridge";
import { Calls, type LossWords, type Notified, Unreachable } from "./calls";

const PROTOCOL = "0";
const RETRY_MS = [200, 500, 1_000, 2_000, 5_000];
const EARLY_LOOKS = 3; // a window that comes up may not have its settings yet

export type Trouble =
  | { what: "missing"; command: string } // `bascule` was not found; "" where none was named
  | { what: "inWorkspace"; command: string } // found only where an agent may write
  | { what: "untrusted" } // restricted mode: nothing is started
  | { what: "mismatch"; version: string }
  | { what: "refused"; why: string }
  | { what: "lost"; why: string };

export type State = { is: "off" } | { is: "connecting" } | { is: "open" } | { is: "down"; trouble: Trouble };

export interface ConnectionListener {
  onState(state: State): void;
  onReady(): void;
  onNotified: Notified;
  onSaid(line: string): void;
}

export class Connection {
  state: State = { is: "off" };
  private bridge: Bridge | undefined;
  private calls: Calls | undefined;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly findPlace: () => Place | Trouble,
    private readonly listener: ConnectionListener,
    private readonly version: string,
    private readonly words: LossWords,
  ) {}

  /// Now; also where it had given up.
  start(): void {
    this.stop();
    this.tries = 0;
    this.open();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.calls?.lose(this.words.closed);
    this.calls = undefined;
    const bridge = this.bridge;
    this.bridge = undefined;
    bridge?.close();
    this.become({ is: "off" });
  }

  call<M extends keyof Requests>(method: M, params: Requests[M]["params"]): Promise<Requests[M]["result"]> {
    if (this.state.is !== "open" || !this.calls)
      return Promise.reject(new Unreachable(this.words.unreachable));
    return this.calls.call(method, params);
  }

  private open(): void {
    const place = this.findPlace();
    if ("what" in place) return this.miss(place);
    this.become({ is: "connecting" });
    const bridge = new Bridge(place, {
      onFrame: (frame) => bridge === this.bridge && calls.hear(frame),
      onSaid: (line) => this.listener.onSaid(line),
      onEnd: (end) => bridge === this.bridge && this.ended(end, place),
    });
    const calls = new Calls((frame) => bridge.send(frame), this.listener.onNotified, this.words.busy);
    this.bridge = bridge;
    this.calls = calls;
    const hello = {
      protocol_version: PROTOCOL,
      client: { name: "VS Code", version: this.version },
      ui_capabilities: { supports_session_sync: true },
    };
    calls.call("initialize", hello).then(
      (answer) => bridge === this.bridge && this.greeted(answer),
      () => undefined, // the end of the bridge says why
    );
  }

  private greeted(answer: Requests["initialize"]["result"]): void {
    if (answer.protocol_version !== PROTOCOL) {
      this.stop();
      return this.become({ is: "down", trouble: { what: "mismatch", version: answer.server.version } });
    }
    this.tries = 0;
    this.become({ is: "open" });
    this.listener.onReady();
  }

  /// A program that is not there yet is looked for again: the settings may come, or somebody may install it.
  private miss(trouble: Trouble): void {
    if (trouble.what !== "missing") return this.become({ is: "down", trouble });
    const isKnown = this.state.is === "down" && this.state.trouble.what === "missing";
    if (this.tries === 0) this.become({ is: "connecting" });
    else if (this.tries >= EARLY_LOOKS && !isKnown) this.become({ is: "down", trouble });
    this.tryLater();
  }

  private ended(end: BridgeEnd, place: Place): void {
    this.bridge = undefined;
    this.calls?.lose(this.words.lost);
    this.calls = undefined;
    const trouble = troubleOf(end, place);
    this.become({ is: "down", trouble });
    if (trouble.what === "missing") return; // it is there, but nothing runs it
    this.tryLater();
  }

  private tryLater(): void {
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)] ?? 0;
    this.timer = setTimeout(() => this.open(), wait);
  }

  private become(state: State): void {
    this.state = state;
    this.listener.onState(state);
  }
}

function troubleOf(end: BridgeEnd, place: Place): Trouble {
  if (end.how === "missing") return { what: "missing", command: place.command };
  if (end.how === "refused") return { what: "refused", why: end.why };
  return { what: "lost", why: end.how === "lost" ? end.why : end.how };
}

export type { Notifications, Requests };
