// The native list of sessions: by folder, with what waits on top, and a badge that counts it.
import { basename } from "node:path";
import * as vscode from "vscode";
import type { Card } from "../../../ui/src/model.gen";
import { type Daemon, folders } from "../daemon/daemon";
import { countCards, type Group, groupCards } from "./groups";

export const VIEW = "bascule.sessions";
const REDRAW_MS = 100; // cards change many times a second while agents work

export type Node = Group | Card;

export class SessionTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly disposables: vscode.Disposable[];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly daemon: Daemon) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    this.disposables = [
      this.view,
      daemon.onCards(() => this.redrawSoon()),
      daemon.onState(() => this.redrawSoon()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.redrawSoon()),
      this.view.onDidChangeVisibility(({ visible }) => visible && daemon.start()),
    ];
    if (this.view.visible) daemon.start();
  }

  getChildren(node?: Node): Node[] {
    if (node) return isGroup(node) ? [...node.cards] : [];
    const groups = groupCards(this.daemon.cards.values(), folders());
    const only = groups.length === 1 ? groups[0] : undefined;
    return only?.isOpen ? [...only.cards] : groups;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return isGroup(node) ? folderItem(node) : sessionItem(node);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.disposables) one.dispose();
  }

  private redrawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire();
      this.showCounts();
    }, REDRAW_MS);
  }

  private showCounts(): void {
    const { waiting } = countCards(this.daemon.cards.values());
    this.view.badge = waiting
      ? { value: waiting, tooltip: vscode.l10n.t("{0} waiting for you", waiting) }
      : undefined;
    this.view.message =
      this.daemon.state.is === "down" && this.daemon.cards.size > 0
        ? vscode.l10n.t("Can't reach Bascule. Reconnecting…")
        : undefined;
  }
}

export function isGroup(node: Node): node is Group {
  return "cards" in node;
}

function folderItem(group: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(basename(group.folder), vscode.TreeItemCollapsibleState.Expanded);
  item.id = group.folder;
  item.tooltip = group.folder;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.contextValue = "folder";
  if (!group.isOpen) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

function sessionItem(card: Card): vscode.TreeItem {
  const item = new vscode.TreeItem(card.title || vscode.l10n.t("New session"));
  const isWaiting = card.asks || card.status === "waiting_user";
  item.id = card.session_id;
  item.description = describe(card);
  item.tooltip = `${card.title}\n${card.workspace}\n${describe(card)}`;
  item.iconPath = iconOf(card);
  item.contextValue = `session ${isWaiting ? "waiting" : card.status}`;
  item.command = { command: "bascule.openSession", title: "", arguments: [card] };
  item.accessibilityInformation = { label: [card.title, describe(card)].filter(Boolean).join(", ") };
  return item;
}

type Shown = Omit<Card, "session_id" | "title" | "workspace">;

export function describe(card: Shown): string {
  if (card.asks || card.status === "waiting_user") return vscode.l10n.t("waiting for you");
  if (card.status === "working") return vscode.l10n.t("working");
  if (card.outcome === "failed") return vscode.l10n.t("failed");
  if (card.outcome === "interrupted") return vscode.l10n.t("interrupted");
  return card.files
    ? vscode.l10n.t("{0} files, +{1} −{2}", card.files, card.additions ?? 0, card.deletions ?? 0)
    : "";
}

export function iconOf(card: Shown): vscode.ThemeIcon {
  const icon = (name: string, colour?: string) =>
    new vscode.ThemeIcon(name, colour ? new vscode.ThemeColor(colour) : undefined);
  if (card.asks || card.status === "waiting_user") return icon("bell-dot", "charts.yellow");
  if (card.status === "working") return icon("sync~spin", "charts.green");
  if (card.outcome === "failed") return icon("error", "charts.red");
  if (card.status === "completed") return icon("pass", "charts.blue");
  return icon(card.status === "stopped" ? "circle-slash" : "circle-outline");
}
