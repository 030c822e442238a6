// Diffs in the editor's own diff views, over documents that the daemon computes and nothing writes.

import * as vscode from "vscode";
import { chooseAll, reviewUnit, toChosenFiles } from "../../../ui/src/diff/choosing";
import type { WantedDiff } from "../../../ui/src/host/vscode_messages";
import type { ViewedFile } from "../../../ui/src/model.gen";
import type { Daemon } from "../daemon/daemon";
import { tell } from "../messages";
import { type DiffSide, parseDiffUri, SCHEME, toParts } from "./diff_uri";

const MAX_KEPT = 20; // diffs in memory; another one is asked for again

export class Diffs implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly kept = new Map<string, readonly ViewedFile[]>();
  private readonly registered: vscode.Disposable;

  constructor(private readonly daemon: Daemon) {
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.window.tabGroups.onDidChangeTabs(() => tellShown()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => tellShown()),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const side = parseDiffUri(uri);
    if (!side) return "";
    const files = await this.view(side.diffId);
    const file = files.find((one) => one.path === side.path);
    const isBefore = (side.side === "before") !== side.isReverse;
    return (isBefore ? file?.before : file?.after) ?? "";
  }

  /// A prepared diff by its id, or what the session's latest run changed.
  async open({ session, diffId, title }: WantedDiff): Promise<void> {
    try {
      if (diffId) return await this.show(diffId, title, false);
      const reverse = await this.revertLatest(session);
      if (reverse) return await this.show(reverse, title, true);
      await tell("info", vscode.l10n.t("The latest run changed nothing that is still there."));
    } catch (fault) {
      await tell("warning", vscode.l10n.t("Can't show the diff: {0}", (fault as Error).message));
    }
  }

  dispose(): void {
    this.registered.dispose();
  }

  private async show(diffId: string, title: string, isReverse: boolean): Promise<void> {
    const files = await this.view(diffId);
    const pair = (path: string) => {
      const side = (of: DiffSide["side"]) => vscode.Uri.from(toParts({ diffId, side: of, path, isReverse }));
      return [side("before"), side("after")] as const;
    };
    const [only, more] = files;
    if (only && !more) {
      const [before, after] = pair(only.path);
      await vscode.commands.executeCommand("vscode.diff", before, after, `${only.path} – ${title}`, {
        preview: true,
      });
    } else {
      const resources = files.map((file) => {
        const [before, after] = pair(file.path);
        return [after, before, after];
      });
      await vscode.commands.executeCommand("vscode.changes", title, resources);
    }
    tellShown();
  }

  /// A diff that reverts the run, checked against the files: the two sides of it are what the run changed.
  private async revertLatest(session: string): Promise<string | undefined> {
    const review = await this.daemon.call("edits.review", { session_id: session });
    const units = review.files.map(reviewUnit);
    const files = toChosenFiles(chooseAll(units), units);
    if (files.length === 0) return undefined;
    const prepared = await this.daemon.call("edits.revert", {
      session_id: session,
      run_id: review.run_id,
      files,
    });
    return prepared.diff_id;
  }

  private async view(diffId: string): Promise<readonly ViewedFile[]> {
    const known = this.kept.get(diffId);
    if (known) return known;
    const { files } = await this.daemon.call("edits.view", { diff_id: diffId });
    this.kept.set(diffId, files);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return files;
  }
}

/// The diff in front that could be applied; undefined for anything else.
export function findShownDiff(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input as
    | { modified?: vscode.Uri; textDiffs?: readonly { modified: vscode.Uri }[] }
    | undefined;
  const uri = input?.modified ?? input?.textDiffs?.[0]?.modified;
  const side = uri instanceof vscode.Uri && uri.scheme === SCHEME ? parseDiffUri(uri) : undefined;
  return side && !side.isReverse ? side.diffId : undefined;
}

function tellShown(): void {
  void vscode.commands.executeCommand("setContext", "bascule.diffShown", findShownDiff() !== undefined);
}
