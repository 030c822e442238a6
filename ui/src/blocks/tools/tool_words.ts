// The icon and the verb of a line of tool work: what is being done, was done, or was refused.
import type { IconName } from "../../icons/icon";
import type { CommandBlock } from "../../model.gen";
import type { StatusSign } from "../status_icon";
import { t as shared } from "../texts";
import { t } from "./tool_texts";

type ToolKind = NonNullable<CommandBlock["does"]> | "call" | "web" | "edit";

export const ICONS: Record<ToolKind, IconName> = {
  run: "terminal",
  read: "file",
  list: "folder",
  search: "search",
  test: "check",
  call: "tool",
  web: "globe",
  edit: "pencil",
};

const READERS =
  /^(?:cat|nl|head|tail|sed|bat|less|more|type)\s(?:[^|&;<>`$\n]*\s)?(["']?)([^\s"'|&;<>`$]+)\1$/;

/// What a line of tool work is about: of a command that only reads a file, that file.
export function objectOf(block: CommandBlock): string {
  const words = block.summary || block.command || "";
  const file = block.does === "read" && (block.reads ?? 0) <= 1 ? READERS.exec(words)?.[2] : undefined;
  return file && !file.startsWith("-") ? file : words;
}

/// Tests say how they ended; without an exit code they did not get that far.
export function sayTests(block: CommandBlock, status: StatusSign): string {
  if (status !== "failed") return verbOf("test", status);
  return t(typeof block.exit_code === "number" ? "testFailed" : "testCut");
}

/// What has not happened is never said as done: it was declined, or its run ended before it did.
export function verbOf(kind: ToolKind, status: StatusSign | undefined, hasEnded = kind !== "edit"): string {
  if (status === "declined" || status === "waiting" || status === "cancelled") return shared(status);
  if (status === "failed" && !hasEnded) return t(kind === "edit" ? "editFailed" : "runFailed");
  return (status ?? "inProgress") === "inProgress" ? t(`${kind}Now`) : t(`${kind}Done`);
}
