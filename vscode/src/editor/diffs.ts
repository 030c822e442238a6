// Diffs in the editor's own diff views, over documents that the daemon computes and nothing writes.
import { basename, posix } from "node:path";
import * as vscode from "vscode";
import { chooseAll, reviewUnit, toChosenFiles } from "../../../ui/src/diff/choosing";
import type { WantedDiff } from "../../../ui/src/host/vscode_messages";
import type { Daemon } from "../daemon/daemon";
import { tell } from "../messages";
import { plainTitle } from "../words";
import { type DiffSide, parseDiffUri, SCHEME, type Side, toParts } from "./diff_uri";
import { findFile, makeShown, type ShownDiff, type ShownFile } from "./shown_diff";

const MAX_KEPT = 20; // diffs in memory; another one is asked for again

export class Diffs implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly kept = new Map<string, ShownDiff>();
  private readonly latest = new Map<string, WantedDiff>(); // by the diff that reverts what is shown
  private readonly registered: vscode.Disposable;

  constructor(private readonly daemon: Daemon) {
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.window.tabGroups.onDidChangeTabs(() => tellShown()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => tellShown()),
    );
    tellShown(); // one may have been open before a reload
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const side = parseDiffUri(uri);
    if (!side) return "";
    const diff = await this.view(side.diffId, side.isReverse);
    return findFile(diff, side)?.text[side.side] ?? "";
  }

  /// A prepared diff by its id, or what the session's latest run changed.
  async open(wanted: WantedDiff): Promise<void> {
    try {
      if (wanted.diffId) return await this.show(wanted.diffId, this.named(wanted), false);
      if (await this.showLatest(wanted)) return;
      await tell("info", vscode.l10n.t("The latest run changed nothing that is still there."));
    } catch (fault) {
      await tell("warning", vscode.l10n.t("Can't show the diff: {0}", (fault as Error).message));
    }
  }

  /// After something of it was reverted: what is left of that run, if anything.
  async openAgain(reverse: string): Promise<void> {
    const wanted = this.latest.get(reverse);
    await closeDiff(reverse);
    if (wanted) await this.showLatest(wanted);
  }

  async view(diffId: string, isReverse: boolean): Promise<ShownDiff> {
    const known = this.kept.get(diffId);
    if (known) return known;
    const [{ files }, viewed] = await Promise.all([
      this.daemon.call("edits.prepared", { diff_id: diffId }),
      this.daemon.call("edits.view", { diff_id: diffId }),
    ]);
    const shown = makeShown(diffId, files, viewed.files, isReverse);
    this.kept.set(diffId, shown);
    forgetOldest(this.kept);
    return shown;
  }

  /// What is in memory; a document that is open has been asked for.
  find(diffId: string): ShownDiff | undefined {
    return this.kept.get(diffId);
  }

  dispose(): void {
    this.registered.dispose();
  }

  /// After its session: the block that names a diff only counts its files, which the editor does as well.
  private named(wanted: WantedDiff): WantedDiff {
    const of = this.daemon.card(wanted.session)?.title;
    return of ? { ...wanted, title: vscode.l10n.t("Diff of {0}", of) } : wanted;
  }

  private async show(diffId: string, { session, title }: WantedDiff, isReverse: boolean): Promise<void> {
    const { files } = await this.view(diffId, isReverse);
    const project = basename(this.daemon.card(session)?.workspace ?? "");
    const address = (file: ShownFile, side: Side, spelt?: Side) => {
      const path = file.path[side];
      const folder = posix.join(project, posix.dirname(path));
      const of: DiffSide = { diffId, side, path, isReverse, folder };
      return vscode.Uri.from(toParts(of, spelt));
    };
    const [only, more] = files;
    if (only && !more) {
      const title_ = plainTitle(`${only.path.after} – ${title}`);
      const sides = [address(only, "before"), address(only, "after")];
      await vscode.commands.executeCommand("vscode.diff", ...sides, title_, { preview: true });
    } else {
      // A side without a file is left out, so that the editor calls it added or deleted.
      const side = (file: ShownFile, of: Side) =>
        file.text[of] === null ? undefined : address(file, of, "after");
      const resources = files.map((file) => {
        return [address(file, "after"), side(file, "before"), side(file, "after")];
      });
      await vscode.commands.executeCommand("vscode.changes", plainTitle(title), resources);
    }
    tellShown();
  }

  private async showLatest(wanted: WantedDiff): Promise<boolean> {
    const reverse = await this.revertLatest(wanted.session);
    if (!reverse) return false;
    this.latest.set(reverse, wanted);
    forgetOldest(this.latest);
    await this.show(reverse, wanted, true);
    return true;
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
}

/// The diff in front; undefined for anything else.
export function findShownDiff(): DiffSide | undefined {
  return diffOf(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/// Whether any tab shows it.
export function isShown(diffId: string): boolean {
  return tabsOf(diffId).length > 0;
}

async function closeDiff(diffId: string): Promise<void> {
  await vscode.window.tabGroups.close(tabsOf(diffId));
}

function tabsOf(diffId: string): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => diffOf(tab)?.diffId === diffId);
}

function diffOf(tab: vscode.Tab | undefined): DiffSide | undefined {
  const input = tab?.input as
    | { modified?: vscode.Uri; textDiffs?: readonly { original?: vscode.Uri; modified?: vscode.Uri }[] }
    | undefined;
  const first = input?.textDiffs?.[0];
  const uri = input?.modified ?? first?.modified ?? first?.original;
  return uri instanceof vscode.Uri && uri.scheme === SCHEME ? parseDiffUri(uri) : undefined;
}

/// For the buttons of the diff's toolbar: "apply", "revert", or nothing.
function tellShown(): void {
  const shown = findShownDiff();
  const can = shown && (shown.isReverse ? "revert" : "apply");
  void vscode.commands.executeCommand("setContext", "bascule.diff", can ?? "");
}

function forgetOldest(kept: Map<string, unknown>): void {
  const oldest = kept.keys().next().value;
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
