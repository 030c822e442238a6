// Settings that the editor takes and the daemon never reads: of those that agents obey, only a folder's own count.
import * as vscode from "vscode";
import { offer } from "../messages";

const PREFIX = "bascule.";

/// Who has switched something off where nobody reads it must not believe that it is off.
export function tellIgnored(extension: vscode.Extension<unknown>): vscode.Disposable {
  const keys = findFolderKeys(extension.packageJSON);
  let told = "";
  const look = () => {
    const ignored = keys.filter(isIgnored).join(", ");
    if (ignored && ignored !== told) void say(ignored);
    told = ignored;
  };
  look();
  return vscode.workspace.onDidChangeConfiguration(
    (change) => change.affectsConfiguration("bascule") && look(),
  );
}

interface Manifest {
  contributes: { configuration: { properties: Record<string, { scope: string }> } };
}

/// Those of the daemon; the others are the extension's own.
function findFolderKeys({ contributes }: Manifest): string[] {
  const all = Object.entries(contributes.configuration.properties);
  return all.filter(([, { scope }]) => scope === "resource").map(([key]) => key);
}

function isIgnored(key: string): boolean {
  const name = key.slice(PREFIX.length);
  const found = vscode.workspace.getConfiguration("bascule").inspect(name);
  const isWorkspaceFile = vscode.workspace.workspaceFile !== undefined; // not a folder's own
  return found?.globalValue !== undefined || (isWorkspaceFile && found?.workspaceValue !== undefined);
}

async function say(keys: string): Promise<void> {
  const text = vscode.l10n.t(
    "No effect in user settings or a workspace file: {0}. Set it for a folder, or for all folders with `bascule settings set`.",
    keys,
  );
  const open = vscode.l10n.t("Open Settings");
  if ((await offer("warning", text, open)) === open)
    await vscode.commands.executeCommand("workbench.action.openSettings", `@modified ${PREFIX}`);
}
