// The icon and the verb of a line of tool work: what is being done, was done, or was refused.
import type { IconName } from "../icons/icon";
import type { CommandBlock } from "../model.gen";
import type { Progress } from "./status_icon";
import { t as shared } from "./texts";
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

/// Tests say how they ended; without an exit code they did not get that far.
export function sayTests(block: CommandBlock, status: Progress): string {
  const isCut = (status === "failed" || status === "cancelled") && typeof block.exit_code !== "number";
  if (isCut) return t("testCut");
  return status === "failed" ? t("testFailed") : verbOf("test", status);
}

/// A refusal is said in words: what was asked for has not happened.
export function verbOf(deed: ToolKind, status: Progress | undefined): string {
  if (status === "declined" || status === "waiting") return shared(status);
  return (status ?? "inProgress") === "inProgress" ? t(`${deed}Now`) : t(`${deed}Done`);
}
