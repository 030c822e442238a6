// Every agent's session on this machine, no matter who started it: what waits on top, and a badge for what is not ours.
import { basename } from "node:path";
import * as vscode from "vscode";
import { sayAgent } from "../../../ui/src/frame/agent_name";
import type { Entry } from "../../../ui/src/home/entries";
import { viewId } from "../../../ui/src/state/viewed";
import type { Daemon } from "../daemon/daemon";
import { plainTitle } from "../words";
import { listBoard } from "./board_list";
import { describe, iconOf, sayTitle } from "./tree";

export const VIEW = "bascule.board";
const REDRAW_MS = 200; // lines change many times a second while agents work

export class BoardTree implements vscode.TreeDataProvider<Entry>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Entry>;
  private readonly disposables: vscode.Disposable[];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly daemon: Daemon) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    const redraw = () => this.redrawSoon();
    this.disposables = [
      this.view,
      daemon.onBoard(redraw),
      daemon.onCards(redraw),
      this.view.onDidChangeVisibility(({ visible }) => visible && daemon.watchBoard()),
    ];
    if (this.view.visible) daemon.watchBoard();
  }

  getChildren(entry?: Entry): Entry[] {
    return entry ? [] : listBoard(this.daemon.cards.values(), this.daemon.board.values());
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    const { session_id, title, words } = sayEntry(entry);
    const item = new vscode.TreeItem(title);
    item.id = entry.key;
    item.description = [...words, sayAgent(entry.agent), basename(entry.folder)].filter(Boolean).join(" · ");
    item.tooltip = [title, entry.folder, item.description].filter(Boolean).join("\n");
    item.iconPath = iconOf(entry.kind === "ours" ? entry.card : { status: entry.status });
    item.contextValue = entry.kind;
    item.command = { command: "bascule.openSession", title: "", arguments: [{ session_id, title }] };
    item.accessibilityInformation = { label: `${title}, ${item.description}` };
    return item;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.disposables) one.dispose();
  }

  private redrawSoon(): void {
    if (this.daemon.board.size === 0) return; // nobody has looked yet, or there is nothing
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire();
      this.showCount();
    }, REDRAW_MS);
  }

  /// Our own are counted by the other list.
  private showCount(): void {
    const waiting = this.getChildren().filter(
      (one) => one.kind === "theirs" && one.status === "waiting_user",
    );
    const value = waiting.length;
    const tooltip = vscode.l10n.t("{0} sessions of other programs waiting for you", value);
    this.view.badge = value ? { value, tooltip } : undefined;
  }
}

function sayEntry(entry: Entry): { session_id: string; title: string; words: string[] } {
  if (entry.kind === "ours") {
    const { session_id } = entry.card;
    return { session_id, title: sayTitle(entry.card), words: [describe(entry.card)] };
  }
  const { key, their_id, title, doing } = entry.session;
  const words = [describe({ status: entry.status }), plainTitle(doing ?? "")];
  return { session_id: viewId(key), title: plainTitle(title || their_id), words };
}
