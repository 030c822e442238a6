// A plan is checked against the files on the disk: where the editor holds other text, it is refused, by name.
import * as vscode from "vscode";
import type { Wish } from "../chat/outgoing";
import type { Daemon } from "../daemon/daemon";
import { findAmong } from "../real_path";

/// The files of that folder among `paths` that have unsaved changes, in whatever kind of editor.
export function findUnsaved(workspace: string, paths: readonly string[]): string[] {
  return findAmong(listUnsaved(), workspace, paths);
}

function listUnsaved(): string[] {
  const documents = vscode.workspace.textDocuments.filter((one) => one.isDirty).map((one) => one.uri);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.isDirty);
  const shown = tabs.map((tab) => (tab.input as { uri?: vscode.Uri } | undefined)?.uri); // notebooks, custom editors
  return [...documents, ...shown].filter((uri) => uri?.scheme === "file").map((uri) => uri?.fsPath ?? "");
}

export function sayUnsaved(paths: readonly string[]): string {
  return vscode.l10n.t(
    "Not applied: save or revert {0} first. The editor has unsaved changes in it.",
    paths.join(", "),
  );
}

/// "" where nothing speaks against carrying out what a page asks for.
export async function findBar(daemon: Daemon, wish: Wish): Promise<string> {
  const asked = daemon.asks.find((one) =>
    wish.does === "answer" ? one.ask.id === wish.ask : wish.does === "write" && one.ask.edit === wish.diff,
  );
  if (wish.does === "run" || (wish.does === "answer" && !asked?.ask.edit)) return "";
  const diff = wish.does === "write" ? wish.diff : (asked?.ask.edit ?? "");
  const workspaces = asked
    ? [daemon.card(asked.session_id)?.workspace ?? asked.ask.workspace ?? ""]
    : everyFolder(daemon);
  const prepared = await daemon.call("edits.prepared", { diff_id: diff }).catch(() => undefined);
  const paths = prepared?.files.flatMap((file) => [file.path, ...(file.source ? [file.source] : [])]) ?? [];
  const unsaved = [...new Set(workspaces.flatMap((workspace) => findUnsaved(workspace, paths)))];
  return unsaved.length > 0 ? sayUnsaved(unsaved) : "";
}

/// A diff's id does not tell its folder; a file of that name with unsaved changes in any of them is a reason to wait.
function everyFolder(daemon: Daemon): string[] {
  return [...new Set([...daemon.cards.values()].map((card) => card.workspace).filter(Boolean))];
}
