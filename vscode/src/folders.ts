// The window's folders as the daemon names them, and files as the window does: a folder may be open through a link.
import { join } from "node:path";
import * as vscode from "vscode";
import { relativeTo } from "./editor/places";
import { realOf } from "./real_path";

const READ_MS = 5_000; // for the folders of a workspace file

/// Without links, as sessions have them.
export function folders(): string[] {
  return ownFolders().map(realOf);
}

/// A window that has just opened a workspace file may not have read it yet.
export async function awaitFolders(): Promise<string[]> {
  if (vscode.workspace.workspaceFile && folders().length === 0) {
    await new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeWorkspaceFolders(done);
      const timer = setTimeout(done, READ_MS);
      function done() {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      }
    });
  }
  return folders();
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
