// The window's folders as the daemon names them, and files as the window does: a folder may be open through a link.
import { join } from "node:path";
import * as vscode from "vscode";
import { relativeTo } from "./editor/places";
import { realOf } from "./real_path";

/// Without links, as sessions have them.
export function folders(): string[] {
  return ownFolders().map(realOf);
}

/// A file of a session by the name that the window's editors have for it.
export function nameInWindow(file: string): string {
  for (const folder of ownFolders()) {
    const way = relativeTo(realOf(folder), file);
    if (way !== undefined) return join(folder, way);
  }
  return file;
}

/// As they were opened.
export function ownFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === "file")
    .map((folder) => folder.uri.fsPath);
}
