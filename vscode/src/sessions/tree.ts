// The native list of sessions: by folder, with what waits on top, and a badge that counts it.
import { basename } from "node:path";
import * as vscode from "vscode";
import type { Card } from "../../../ui/src/model.gen";
import type { Daemon } from "../daemon/daemon";
import { folders } from "../folders";
import { plainTitle } from "../words";
import { countCards, cutCards, type Group, groupCards } from "./groups";

export const VIEW = "bascule.sessions";
const REDRAW_MS = 100; // cards change many times a second while agents work

/// The rest of a folder, which the picker searches.
interface More {
  more: number;
  folder: string;
}

export type Node = Group | Card | More;

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
      this.view.onDidChangeVisibility(({ visible }) => visible && this.appear()),
    ];
    if (this.view.visible) daemon.start();
  }

  getChildren(node?: Node): Node[] {
    if (node) return isGroup(node) ? listOf(node) : [];
    const open = folders();
    const groups = groupCards(this.daemon.cards.values(), open);
    const only = groups.length === 1 && open.length === 1 ? groups[0] : undefined;
    return only?.isOpen ? listOf(only) : groups;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (isGroup(node)) return folderItem(node);
    return "more" in node ? moreItem(node) : sessionItem(node);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.disposables) one.dispose();
  }

  private appear(): void {
    this.daemon.start();
    this.redrawSoon();
  }

  private redrawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.view.visible) this.changed.fire();
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

function listOf({ folder, cards }: Group): Node[] {
  const { shown, more } = cutCards(cards);
  return more > 0 ? [...shown, { more, folder }] : [...shown];
}

function moreItem({ more, folder }: More): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t("{0} more…", more));
  item.id = `more ${folder}`;
  item.command = { command: "bascule.sessions", title: "" };
  return item;
}

function folderItem(group: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(
    plainTitle(basename(group.folder)),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = group.folder;
  item.tooltip = group.folder;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.contextValue = "folder";
  if (!group.isOpen) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

function sessionItem(card: Card): vscode.TreeItem {
  const title = sayTitle(card);
  const item = new vscode.TreeItem(title);
  const isWaiting = card.asks || card.status === "waiting_user";
  item.id = card.session_id;
  item.description = describe(card);
  item.tooltip = [title, card.workspace, describe(card)].filter(Boolean).join("\n");
  item.iconPath = iconOf(card);
  item.contextValue = `session ${isWaiting ? "waiting" : card.status}`;
  item.command = { command: "bascule.openSession", title: "", arguments: [card] };
  item.accessibilityInformation = { label: [title, describe(card)].filter(Boolean).join(", ") };
  return item;
}

export function sayTitle({ title }: Pick<Card, "title">): string {
  return plainTitle(title) || vscode.l10n.t("New session");
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
