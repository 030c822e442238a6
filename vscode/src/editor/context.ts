// What the person looks at: the active file, its selection and the open files, told when it settles.
import * as vscode from "vscode";
import type { EditorContext } from "../../../ui/src/host/vscode_messages";
import { realOf } from "../real_path";
import { latestFirst, relativeTo } from "./places";

const SETTLE_MS = 150;
const MAX_OPEN = 50;

export class ContextWatch implements vscode.Disposable {
  private last: vscode.TextEditor | undefined;
  private recent: string[] = []; // files, the latest first
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly tell: (context: EditorContext) => void) {
    const soon = () => this.settle();
    this.last = vscode.window.activeTextEditor;
    this.disposables = [
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.window.tabGroups.onDidChangeTabs(soon),
    ];
  }

  /// The last editor counts while the person types into the chat, which is none.
  now(): EditorContext | undefined {
    const editor = vscode.window.activeTextEditor ?? this.stillOpen();
    this.last = editor;
    if (!editor) return nowhere();
    const file = editor.document.uri.fsPath;
    this.recent = [file, ...this.recent.filter((one) => one !== file)].slice(0, MAX_OPEN);
    return describe(editor, this.recent);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.disposables) one.dispose();
  }

  private stillOpen(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find((one) => one.document === this.last?.document);
  }

  /// High rates, as of a drag with the mouse, become one.
  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const context = this.now();
      if (context) this.tell(context);
    }, SETTLE_MS);
  }
}

/// Once the last file is closed. While one is only covered, what was said of it still counts.
function nowhere(): EditorContext | undefined {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (root?.scheme !== "file" || openFiles(root.fsPath, []).length > 0) return undefined;
  return { workspace_root: realOf(root.fsPath), active_file: null, selection: null, open_files: [] };
}

function describe(editor: vscode.TextEditor, recent: readonly string[]): EditorContext | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(editor.document.uri);
  if (folder?.uri.scheme !== "file") return undefined;
  const root = folder.uri.fsPath;
  const path = relativeTo(root, editor.document.uri.fsPath);
  if (path === undefined) return undefined;
  const { selection } = editor;
  return {
    workspace_root: realOf(root),
    active_file: { path, language_id: editor.document.languageId },
    selection: selection.isEmpty ? null : { path, range: rangeOf(selection) },
    open_files: openFiles(root, recent),
  };
}

function rangeOf({ start, end }: vscode.Selection) {
  return {
    start: { line: start.line, column: start.character },
    end: { line: end.line, column: end.character },
  };
}

function openFiles(root: string, recent: readonly string[]): string[] {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
  const files = inputs.filter((input) => input instanceof vscode.TabInputText && input.uri.scheme === "file");
  const open = files.map((input) => (input as vscode.TabInputText).uri.fsPath);
  return latestFirst(open, recent)
    .map((file) => relativeTo(root, file))
    .filter((path) => path !== undefined)
    .slice(0, MAX_OPEN);
}
