// A file of a session's folder, opened at its line.

import { resolve } from "node:path";
import * as vscode from "vscode";
import type { Place } from "../../../ui/src/host/host";
import { nameInWindow } from "../folders";
import { tell } from "../messages";
import { relativeTo } from "./places";

/// `isKnown`: whether that is a folder of a session, or of this window.
export async function openFile(
  workspace: string,
  place: Place,
  isKnown: (folder: string) => boolean,
): Promise<void> {
  const file = resolve(workspace, place.path.replace(/^\/+/, ""));
  if (!isKnown(workspace) || relativeTo(workspace, file) === undefined) {
    await tell("warning", vscode.l10n.t("{0} is outside of the session's folder.", place.path));
    return;
  }
  const line = Math.max(0, (place.line ?? 1) - 1);
  const at = new vscode.Position(line, Math.max(0, (place.column ?? 1) - 1));
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(nameInWindow(file)), {
      selection: new vscode.Range(at, at),
      preview: true,
      viewColumn: vscode.ViewColumn.One,
    });
  } catch (fault) {
    await tell("warning", vscode.l10n.t("Can't open {0}: {1}", place.path, (fault as Error).message));
  }
}
