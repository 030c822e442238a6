// What the agent is doing now, found in the last blocks of its session.
import type { Block, Run } from "../../model.gen";
import type { Head, Mirror } from "../../state/room";
import { visible } from "../../text/visible";
import { baseName } from "../names";
import { t } from "../status/status_texts";
import { sayStatus } from "./status_dot";

export type Ending = "completed" | "interrupted" | "declined" | "failed";

export type Doing =
  | { kind: "failed"; tests: true } // of the project, not the agent
  | {
      kind: "waiting" | "thinking" | "writing" | "working" | Ending | "idle" | "unknown"; // the daemon does not answer
    }
  | {
      kind: "ended" | "unsaid"; // of another program's session; no source says whether it is at work
    }
  | { kind: "command" | "tool" | "searching" | "changing"; what: string };

const LOOK_BACK = 30; // blocks; what goes on is near the end
const MAX_WHAT = 120; // characters

/// `latest` gives the blocks from the last one back.
export function findDoing(head: Head, latest: Iterable<Block>): Doing {
  if ((head.asks?.length ?? 0) > 0 || head.status === "waiting_user") return { kind: "waiting" };
  if (head.status === "stopped")
    return hasFailedTests(latest) ? { kind: "failed", tests: true } : { kind: "failed" };
  if (head.status === "completed") return { kind: findEnd(head.runs?.at(-1)) };
  if (head.status !== "working") return { kind: "idle" };
  for (const block of latest) {
    const doing = ofBlock(block);
    if (doing) return doing;
  }
  return { kind: "working" };
}

/// What a session of another program does. Its end is no failure.
export function findTheirDoing(head: Head, latest: Iterable<Block>): Doing {
  if (head.status === "stopped") return { kind: "ended" };
  if ((head.status ?? "unknown") === "unknown") return { kind: "unsaid" };
  return findDoing(head, latest);
}

function hasFailedTests(latest: Iterable<Block>): boolean {
  for (const block of latest)
    return block.kind === "command" && block.does === "test" && block.status === "failed";
  return false;
}

function findEnd(run: Run | undefined): Ending {
  if (run?.declined) return "declined";
  return run?.outcome === "interrupted" || run?.outcome === "failed" ? run.outcome : "completed";
}

const ENDINGS: ReadonlySet<string> = new Set<Ending>(["completed", "interrupted", "declined", "failed"]);

export function isEnding(kind: Doing["kind"]): kind is Ending {
  return ENDINGS.has(kind);
}

/// A status that is not said is its default: in progress.
function ofBlock(block: Block): Doing | undefined {
  if ("status" in block && (block.status ?? "inProgress") !== "inProgress") return undefined;
  switch (block.kind) {
    case "command":
      return { kind: "command", what: short(block.summary || block.command || "") };
    case "mcp":
      return { kind: "tool", what: short([block.server, block.tool].filter(Boolean).join(" / ")) };
    case "webSearch":
      return { kind: "searching", what: short(block.query ?? "") };
    case "fileChange":
      return {
        kind: "changing",
        what: short((block.files ?? []).map((file) => baseName(file.path)).join(", ")),
      };
    case "reasoning":
      return { kind: "thinking" };
    case "assistant":
      return { kind: "writing" };
    default:
      return undefined;
  }
}

function short(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > MAX_WHAT ? `${line.slice(0, MAX_WHAT - 1)}…` : line;
}

/// An end has the same word as in the list.
export function sayDoing(doing: Doing): string {
  if ("tests" in doing) return t("testsFailed");
  if (isEnding(doing.kind)) return sayStatus(doing.kind);
  return t(`doing_${doing.kind}`, "what" in doing ? { what: visible(doing.what) } : {});
}

export function* lastBlocks(mirror: Mirror): Generator<Block> {
  const order = mirror.order();
  for (const id of order.slice(-LOOK_BACK).reverse()) {
    const block = mirror.block(id);
    if (block) yield block;
  }
}
