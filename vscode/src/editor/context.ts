// What the person looks at: the active file, its selection and the open files, told when it settles.
import * as vscode from "vscode";
import type { EditorContext } from "../../../ui/src/host/vscode_messages";
import { realOf } from "../real_path";
import { latestFirst, relativeTo } from "./places";

const SETTLE_MS = 150;
const MAX_OPEN = 50;
const PANEL = "output"; // the editor calls a text in its panel an editor, too

export class ContextWatch implements vscode.Disposable {
  private last: vscode.TextEditor | undefined;
  private folder: vscode.WorkspaceFolder | undefined; // of the file that was looked at last
  private recent: string[] = []; // files, the latest first
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly tell: (context: EditorContext) => void) {
    const soon = () => this.settle();
    this.last = findActive();
    this.disposables = [
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.window.tabGroups.onDidChangeTabs(soon),
    ];
  }

  /// The last editor counts while the person types into the chat, which is none; undefined where nothing has changed.
  now(): EditorContext | undefined {
    const editor = findActive() ?? this.stillOpen();
    this.last = editor;
    if (!editor) return this.isAnyOpen() ? undefined : this.describeNothing(); // else one is only covered
    const { uri } = editor.document;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.scheme !== "file") return this.describeNothing(); // a file of no folder has no name in a prompt
    this.folder = folder;
    this.recent = [uri.fsPath, ...this.recent.filter((one) => one !== uri.fsPath)].slice(0, MAX_OPEN);
    return describe(editor, folder.uri.fsPath, this.recent);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.disposables) one.dispose();
  }

  private stillOpen(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find((one) => one.document === this.last?.document);
  }

  private isAnyOpen(): boolean {
    const root = this.root();
    return root !== undefined && openFiles(root, []).length > 0;
  }

  private describeNothing(): EditorContext | undefined {
    const root = this.root();
    if (root === undefined) return undefined;
    const open_files = openFiles(root, this.recent);
    return { workspace_root: realOf(root), active_file: null, selection: null, open_files };
  }

  private root(): string | undefined {
    const { uri } = this.folder ?? vscode.workspace.workspaceFolders?.[0] ?? {};
    return uri?.scheme === "file" ? uri.fsPath : undefined;
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

function findActive(): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  return active?.document.uri.scheme === PANEL ? undefined : active;
}

function describe(
  { document, selection }: vscode.TextEditor,
  root: string,
  recent: readonly string[],
): EditorContext | undefined {
  const path = relativeTo(root, document.uri.fsPath);
  if (path === undefined) return undefined;
  return {
    workspace_root: realOf(root),
    active_file: { path, language_id: document.languageId },
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
