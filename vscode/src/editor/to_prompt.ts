// From the editor to the prompt: a selection, a file, a problem, what is selected in a terminal.

import { join } from "node:path";
import * as vscode from "vscode";
import { folders } from "../folders";
import { offer, tell } from "../messages";
import { realOf } from "../real_path";
import { fenced, mention, relativeTo } from "./places";

const MAX_TERMINAL = 20_000; // characters

export interface Prompt {
  /// The folder of the session that gets it; "" where none is shown yet.
  workspace(): string;
  /// Whether there is a page to write to, or one that comes up by itself.
  hasChat(): boolean;
  begin(workspace: string): Promise<void>;
  insert(text: string): Promise<void>;
}

export function registerPromptCommands(
  prompt: Prompt,
  sayFault: (fault: unknown) => Promise<void>,
): vscode.Disposable {
  const on = <Words extends unknown[]>(name: string, act: (...words: Words) => Promise<void>) =>
    vscode.commands.registerCommand(name, (...words: Words) => act(...words).catch(sayFault));
  return vscode.Disposable.from(
    on("bascule.sendSelection", () => sendSelection(prompt, (place) => place)),
    on("bascule.explain", () => sendSelection(prompt, (place) => vscode.l10n.t("Explain {0}", place))),
    on("bascule.sendFile", (uri?: vscode.Uri) => sendFile(prompt, uri)),
    on("bascule.fixProblem", (uri: vscode.Uri, problem: vscode.Diagnostic) =>
      fixProblem(prompt, uri, problem),
    ),
    on("bascule.sendTerminalSelection", () => sendTerminal(prompt)),
    vscode.languages.registerCodeActionsProvider({ scheme: "file" }, new FixActions(), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}

async function sendSelection(prompt: Prompt, say: (place: string) => string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty)
    return tell("info", vscode.l10n.t("Select something in an editor first."));
  await insertPlace(prompt, { uri: editor.document.uri, range: editor.selection }, say);
}

async function sendFile(prompt: Prompt, uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
  if (!uri) return tell("info", vscode.l10n.t("Open a file first."));
  await insertPlace(prompt, { uri }, (place) => place);
}

async function fixProblem(prompt: Prompt, uri: vscode.Uri, problem: vscode.Diagnostic): Promise<void> {
  const source = problem.source ? ` (${problem.source})` : "";
  await insertPlace(prompt, { uri, range: problem.range }, (place) =>
    vscode.l10n.t("Fix this problem in {0}: {1}", place, problem.message + source),
  );
}

/// Named as the session's folder has it: in another folder, the same name may be another file.
async function insertPlace(
  prompt: Prompt,
  { uri, range }: { uri: vscode.Uri; range?: vscode.Range },
  say: (place: string) => string,
): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const inFolder = folder && relativeTo(folder, uri.fsPath);
  if (!folder || inFolder === undefined) return tellOutside(uri);
  const root = realOf(folder);
  const path = nameFor(prompt.workspace(), root, inFolder);
  if (path === undefined && !(await mayBegin(prompt, uri))) return;
  if (path === undefined || !prompt.hasChat()) await prompt.begin(root);
  await prompt.insert(say(mention(path ?? inFolder, range)));
}

/// Undefined where a session of that folder has to begin first.
function nameFor(workspace: string, root: string, path: string): string | undefined {
  if (workspace) return relativeTo(workspace, join(root, path));
  return folders().length > 1 ? undefined : path;
}

async function mayBegin(prompt: Prompt, uri: vscode.Uri): Promise<boolean> {
  if (!prompt.workspace()) return true;
  const begin = vscode.l10n.t("New Session");
  const text = vscode.l10n.t("{0} is not in the folder of the session that is shown.", uri.path);
  return (await offer("info", text, begin)) === begin;
}

async function sendTerminal(prompt: Prompt): Promise<void> {
  const text = (await readTerminalSelection()).slice(0, MAX_TERMINAL);
  if (!text.trim()) return tell("info", vscode.l10n.t("Select something in a terminal first."));
  if (!prompt.hasChat()) await prompt.begin(folders()[0] ?? "");
  await prompt.insert(fenced(text));
}

/// The editor gives a terminal's selection to nobody but the clipboard, which then has again what it had.
async function readTerminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText("");
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

class FixActions implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics.map((problem) => {
      const title = vscode.l10n.t("Fix with Bascule");
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [problem];
      action.command = { command: "bascule.fixProblem", title, arguments: [document.uri, problem] };
      return action;
    });
  }
}

async function tellOutside(uri: vscode.Uri): Promise<void> {
  await tell("info", vscode.l10n.t("{0} is not in a folder of this window.", uri.path));
}
