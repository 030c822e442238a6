// A plan is checked against the files on the disk: where the editor holds other text, it is refused, by name.
import * as vscode from "vscode";
import type { WaitingAsk } from "../../../ui/src/model.gen";
import type { Wish } from "../chat/outgoing";
import type { Daemon } from "../daemon/daemon";
import { sayOver } from "../messages";
import { findAmong } from "../real_path";

/// The files of that folder among `paths` that have unsaved changes, in whatever kind of editor.
function findUnsaved(workspace: string, paths: readonly string[]): string[] {
  return findAmong(listUnsaved(), workspace, paths);
}

function listUnsaved(): string[] {
  const documents = vscode.workspace.textDocuments.filter((one) => one.isDirty).map((one) => one.uri);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.isDirty);
  const shown = tabs.map((tab) => (tab.input as { uri?: vscode.Uri } | undefined)?.uri); // notebooks, custom editors
  return [...documents, ...shown].filter((uri) => uri?.scheme === "file").map((uri) => uri?.fsPath ?? "");
}

function sayUnsaved(paths: readonly string[]): string {
  return vscode.l10n.t(
    "Not applied: save or revert {0} first. The editor has unsaved changes in it.",
    paths.join(", "),
  );
}

/// "" where nothing speaks against carrying out what a page asks for.
export async function findBar(daemon: Daemon, wish: Wish): Promise<string> {
  if (wish.does === "run") return "";
  return wish.does === "write" ? findDiffBar(daemon, wish.diff) : findAnswerBar(daemon, wish);
}

/// Before it is asked about.
async function findDiffBar(daemon: Daemon, diff: string): Promise<string> {
  const prepared = await daemon.call("edits.prepared", { diff_id: diff }).catch(() => undefined);
  const paths = prepared?.files.flatMap((file) => [file.path, ...(file.source ? [file.source] : [])]) ?? [];
  const unsaved = [...new Set(everyFolder(daemon).flatMap((workspace) => findUnsaved(workspace, paths)))];
  return unsaved.length > 0 ? sayUnsaved(unsaved) : "";
}

/// An answer to an Ask that cannot be found is not carried: what it writes is not known.
async function findAnswerBar(daemon: Daemon, wish: Extract<Wish, { does: "answer" }>): Promise<string> {
  let asked: WaitingAsk | undefined;
  try {
    asked = await daemon.findAsk(wish.ask);
  } catch (fault) {
    return (fault as Error).message;
  }
  return asked ? findYesBar(daemon, asked, wish.choice) : sayOver();
}

/// A no is never barred.
export function findYesBar(daemon: Daemon, asked: WaitingAsk, choice: string): string {
  const { choices, edit, subject } = asked.ask;
  const isNo = choices.some((one) => one.id === choice && !one.grants);
  if (isNo || !edit || subject.about !== "files") return "";
  const paths = subject.files.flatMap((file) => [file.path, ...(file.moved_to ? [file.moved_to] : [])]);
  const unsaved = findUnsaved(daemon.workspaceOf(asked), paths);
  return unsaved.length > 0 ? sayUnsaved(unsaved) : "";
}

/// A diff's id does not tell its folder; a file of that name with unsaved changes in any of them is a reason to wait.
function everyFolder(daemon: Daemon): string[] {
  return [...new Set([...daemon.cards.values()].map((card) => card.workspace).filter(Boolean))];
}
