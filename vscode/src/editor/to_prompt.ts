// From the editor to the prompt: a selection, a file, a problem, what is selected in a terminal.

import * as vscode from "vscode";
import { tell } from "../messages";
import { mention, relativeTo } from "./places";

const MAX_TERMINAL = 20_000; // characters

export interface Prompt {
  insert(text: string): Promise<void>;
}

export function registerPromptCommands(prompt: Prompt): vscode.Disposable {
  const on = vscode.commands.registerCommand;
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
  const place = nameOf(editor.document.uri, editor.selection);
  if (!place) return tellOutside(editor.document.uri);
  await prompt.insert(say(place));
}

async function sendFile(prompt: Prompt, uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
  if (!uri) return tell("info", vscode.l10n.t("Open a file first."));
  const place = nameOf(uri);
  if (!place) return tellOutside(uri);
  await prompt.insert(place);
}

async function fixProblem(prompt: Prompt, uri: vscode.Uri, problem: vscode.Diagnostic): Promise<void> {
  const place = nameOf(uri, problem.range);
  if (!place) return tellOutside(uri);
  const source = problem.source ? ` (${problem.source})` : "";
  await prompt.insert(vscode.l10n.t("Fix this problem in {0}: {1}", place, problem.message + source));
}

/// The editor gives a terminal's selection to nobody but the clipboard, which is given back.
async function sendTerminal(prompt: Prompt): Promise<void> {
  const before = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText("");
  await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
  const text = (await vscode.env.clipboard.readText()).slice(0, MAX_TERMINAL);
  await vscode.env.clipboard.writeText(before);
  if (!text.trim()) return tell("info", vscode.l10n.t("Select something in a terminal first."));
  await prompt.insert(`\`\`\`\n${text.trimEnd()}\n\`\`\`\n`);
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

function nameOf(uri: vscode.Uri, range?: vscode.Range): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const path = folder && relativeTo(folder.uri.fsPath, uri.fsPath);
  return path === undefined ? undefined : mention(path, range);
}

async function tellOutside(uri: vscode.Uri): Promise<void> {
  await tell("info", vscode.l10n.t("{0} is not in a folder of this window.", uri.path));
}
