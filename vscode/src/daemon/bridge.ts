// One connection to the daemon: a `bascule runtime` of our own, which finds or starts it and carries frames.
import { type ChildProcess, spawn } from "node:child_process";
import { homedir } from "node:os";
import { Lines, Overlong } from "./lines";

const MAX_SAID = 4_000; // characters kept of what it says on stderr: its last words
const MAX_UNSENT = 128 * 1024 * 1024; // bytes that it has not read yet: two of the longest frames
const EXIT_REFUSED = 2; // one sentence for a person, and nothing was done

export type BridgeEnd =
  | { how: "closed" } // by us
  | { how: "missing" } // there is no such program
  | { how: "unread" } // it took nothing for too long
  | { how: "overlong" } // it said more at once than anybody may
  | { how: "refused"; why: string }
  | { how: "lost"; why: string };

export interface BridgeListener {
  onFrame(frame: string): void;
  onSaid(line: string): void;
  onEnd(end: BridgeEnd): void;
}

export interface Place {
  command: string;
  workspace: string; // "" without a folder
  demo: boolean;
}

export class Bridge {
  readonly exited: Promise<void>; // the process, which is later than its end for us
  private readonly child: ChildProcess;
  private readonly lines = new Lines();
  private said = "";
  private end: BridgeEnd | undefined;

  constructor(
    place: Place,
    private readonly listener: BridgeListener,
    private readonly maxUnsent = MAX_UNSENT,
  ) {
    this.child = spawn(place.command, runtimeWords(place), {
      cwd: homedir(), // not the workspace: what lies there is not to be run
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    this.exited = new Promise((resolve) => {
      for (const event of ["error", "close"]) this.child.on(event, () => resolve());
    });
    this.child.on("error", (fault: NodeJS.ErrnoException) =>
      this.finish(fault.code === "ENOENT" ? { how: "missing" } : { how: "lost", why: fault.message }),
    );
    this.child.on("close", (code) => this.finish(this.endOf(code)));
    this.child.stdin?.on("error", () => undefined); // it has ended: "close" says how
    this.child.stdout?.on("data", (chunk: Buffer) => this.hear(chunk));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => this.note(text));
  }

  send(frame: string): void {
    const { stdin } = this.child;
    if (this.end || !stdin) return;
    if (stdin.writableLength + frame.length <= this.maxUnsent) return void stdin.write(`${frame}\n`);
    this.finish({ how: "unread" });
    this.child.kill();
  }

  close(): void {
    this.finish({ how: "closed" });
    this.child.stdin?.end(); // it leaves when nobody speaks any more
  }

  private hear(chunk: Buffer): void {
    try {
      for (const line of this.lines.feed(chunk)) if (line && !this.end) this.listener.onFrame(line);
    } catch (fault) {
      this.finish(
        fault instanceof Overlong ? { how: "overlong" } : { how: "lost", why: (fault as Error).message },
      );
      this.child.kill();
    }
  }

  private note(text: string): void {
    this.said = (this.said + text).slice(-MAX_SAID);
    for (const line of text.split("\n")) if (line.trim()) this.listener.onSaid(line);
  }

  private endOf(code: number | null): BridgeEnd {
    const why = this.said.trim().replace(/^bascule: /, "");
    return code === EXIT_REFUSED ? { how: "refused", why } : { how: "lost", why };
  }

  /// The first end is the end.
  private finish(end: BridgeEnd): void {
    if (this.end) return;
    this.end = end;
    this.listener.onEnd(end);
  }
}

export function runtimeWords({ workspace, demo }: Place): string[] {
  if (demo) return ["runtime", "--background", "--demo"]; // it works in a project of its own
  return ["runtime", "--background", ...(workspace ? ["--workspace", workspace] : [])];
}
