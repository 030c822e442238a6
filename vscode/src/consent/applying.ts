// A prepared diff, applied after the question that the daemon asks about it.
import * as vscode from "vscode";
import type { Daemon } from "../daemon/daemon";
import { findBar } from "../editor/unsaved";
import { tell } from "../messages";
import type { Questions } from "./questions";

/// True where it was written. Whatever happens is said.
export async function applyDiff(daemon: Daemon, questions: Questions, diff: string): Promise<boolean> {
  const wish = { id: 0, does: "write", diff } as const;
  const bar = await findBar(daemon, wish);
  if (bar) {
    void tell("warning", bar);
    return false;
  }
  questions.wished(wish);
  const { status, summary } = await daemon.call("edits.apply", { diff_id: diff });
  const isWritten = status === "ok";
  if (isWritten) void tell("info", vscode.l10n.t("Applied: {0}", summary));
  else void tell("warning", summary);
  return isWritten;
}
