// Hunks in the editor's diff views: left out of a diff before it is applied, or reverted one by one.
import * as vscode from "vscode";
import {
  type Chosen,
  chooseAll,
  countChosen,
  isEverything,
  toChosenFiles,
  toggleFile,
  toggleHunk,
} from "../../../ui/src/diff/choosing";
import type { ChosenFile } from "../../../ui/src/model.gen";
import type { Wish } from "../chat/outgoing";
import type { Daemon } from "../daemon/daemon";
import { tell } from "../messages";
import { parseDiffUri, SCHEME } from "./diff_uri";
import { type Diffs, findShownDiff, isShown } from "./diffs";
import { findFile, findHunk, linesLeftOut, type ShownDiff } from "./shown_diff";

/// As the editor's gutter names a line.
interface GutterPlace {
  lineNumber: number;
  uri: vscode.Uri;
}

interface Picked {
  diff: ShownDiff;
  file: number;
  hunk: number | undefined; // without one, the file has none: it is taken whole or not
}

export class HunkChoice implements vscode.Disposable {
  private readonly chosen = new Map<string, Chosen>(); // by diff, where it is not all of it
  private readonly leftOut = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: "0.5",
    textDecoration: "line-through",
  });
  private readonly heard: vscode.Disposable;

  constructor(
    private readonly daemon: Daemon,
    private readonly diffs: Diffs,
  ) {
    this.heard = vscode.Disposable.from(
      this.leftOut,
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.forgetClosed()),
    );
  }

  /// Of the diff in front: the hunk at a place of the gutter, or at the cursor.
  async toggle(place?: unknown): Promise<void> {
    const picked = await this.pick(place);
    if (!picked) return sayNoHunk();
    const { diff, file, hunk } = picked;
    const units = unitsOf(diff);
    const now = this.chosen.get(diff.diffId) ?? chooseAll(units);
    const next = hunk === undefined ? toggleFile(now, units, file) : toggleHunk(now, file, hunk);
    if (isEverything(next, units)) this.chosen.delete(diff.diffId);
    else this.chosen.set(diff.diffId, next);
    this.draw();
  }

  /// The diff that holds what was chosen of this one; undefined where that is nothing.
  async prepare(diffId: string): Promise<string | undefined> {
    const chosen = this.chosen.get(diffId);
    if (!chosen) return diffId;
    if (countChosen(chosen) === 0) return undefined;
    const diff = await this.diffs.view(diffId, false);
    return this.select(diffId, toChosenFiles(chosen, unitsOf(diff)));
  }

  /// A diff that reverts the hunk at that place and nothing else.
  async prepareRevert(place?: unknown): Promise<string | undefined> {
    const picked = await this.pick(place);
    const unit = picked?.diff.files[picked.file]?.unit;
    if (!picked || !unit) return void sayNoHunk();
    const part = picked.hunk === undefined ? {} : { hunks: [picked.hunk] };
    return this.select(picked.diff.diffId, [{ path: unit.path, ...part }]);
  }

  /// "" where the page may apply it: it would write what was left out here.
  findBar(wish: Wish): string {
    return wish.does === "write" && this.chosen.has(wish.diff)
      ? vscode.l10n.t(
          "Not applied: in the editor you left out changes of this diff. Apply it from the diff's toolbar, or take them all.",
        )
      : "";
  }

  dispose(): void {
    this.heard.dispose();
  }

  private async select(diffId: string, files: ChosenFile[]): Promise<string> {
    return (await this.daemon.call("edits.select", { diff_id: diffId, files })).diff_id;
  }

  private async pick(place: unknown): Promise<Picked | undefined> {
    const shown = findShownDiff();
    if (!shown) return undefined;
    const diff = await this.diffs.view(shown.diffId, shown.isReverse);
    const at = isGutter(place) ? { uri: place.uri, line: place.lineNumber } : findCursor();
    const side = at && parseDiffUri(at.uri);
    if (at && side?.diffId === diff.diffId) {
      const file = findFile(diff, side);
      return file && pickHunk(diff, diff.files.indexOf(file), findHunk(file, side.side, at.line)?.number);
    }
    const [only, more] = diff.files; // nothing has the cursor
    return only && !more && only.hunks.length < 2 ? pickHunk(diff, 0, only.hunks[0]?.number) : undefined;
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const side = editor.document.uri.scheme === SCHEME && parseDiffUri(editor.document.uri);
      const diff = side && this.diffs.find(side.diffId);
      if (!side || !diff) continue;
      const chosen = this.chosen.get(side.diffId);
      const lines = chosen ? linesLeftOut(diff, chosen, side) : [];
      editor.setDecorations(
        this.leftOut,
        lines.map((line, at) => mark(line, at === 0 || lines[at - 1] !== line - 1)),
      );
    }
  }

  /// A choice that nobody sees any more must not count.
  private forgetClosed(): void {
    for (const diffId of [...this.chosen.keys()]) if (!isShown(diffId)) this.chosen.delete(diffId);
  }
}

function pickHunk(diff: ShownDiff, file: number, hunk: number | undefined): Picked {
  return { diff, file, hunk };
}

function unitsOf({ files }: ShownDiff) {
  return files.map((file) => file.unit);
}

function findCursor(): { uri: vscode.Uri; line: number } | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri, line: editor.selection.active.line + 1 };
}

function isGutter(place: unknown): place is GutterPlace {
  return typeof place === "object" && place !== null && "lineNumber" in place && "uri" in place;
}

function mark(line: number, isFirst: boolean): vscode.DecorationOptions {
  const range = new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
  if (!isFirst) return { range };
  const contentText = `  ${vscode.l10n.t("left out")}`;
  const color = new vscode.ThemeColor("editorCodeLens.foreground");
  return {
    range,
    renderOptions: { after: { contentText, color, textDecoration: "none", fontStyle: "italic" } },
  };
}

function sayNoHunk(): void {
  void tell("info", vscode.l10n.t("Put the cursor into a change first."));
}
