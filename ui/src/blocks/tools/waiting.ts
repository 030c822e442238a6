// Whether a block of tool work waits for the person's answer: it has not begun, whatever its status says.
import type { Ask, Block } from "../../model.gen";
import type { Mirror } from "../../state/room";
import type { StatusSign } from "../status_icon";

type Work = Extract<Block, { kind: "command" | "fileChange" | "mcp" }>;

/// How far it is, for a person.
export function progressOf(mirror: Mirror, block: Work): StatusSign {
  const status = block.status ?? "inProgress";
  if (status !== "inProgress") return status;
  return mirror.head().asks?.some((ask) => isAbout(ask, block)) ? "waiting" : status;
}

export function isAbout(ask: Ask, block: Work): boolean {
  const { subject } = ask;
  if (ask.by === "bascule" || (ask.run && block.run && ask.run !== block.run)) return false;
  switch (block.kind) {
    case "command":
      return subject.about === "command" && subject.original === (block.original || block.command);
    case "fileChange": {
      if (subject.about !== "files") return false;
      const paths = new Set(block.files?.map(({ path }) => path));
      return subject.files.some(({ path }) => paths.has(path));
    }
    case "mcp":
      return subject.about === "questions" && Boolean(subject.server) && subject.server === block.server;
  }
}
