// The native list of sessions: by folder, with what waits on top, and a badge that counts it.
import { basename } from "node:path";
import * as vscode from "vscode";
import { isWaiting } from "../../../ui/src/frame/attention/card_events";
import type { Card } from "../../../ui/src/model.gen";
import type { Daemon } from "../daemon/daemon";
import { folders } from "../folders";
import { plainTitle } from "../words";
import { countCards, cutCards, type Group, groupCards } from "./groups";
import { makeLine, showTree } from "./live_tree";
import { describe, sayTitle } from "./session_words";

/// The rest of a folder, which the picker searches.
interface More {
  more: number;
  folder: string;
}

type Node = Group | Card | More;

export function showSessions(daemon: Daemon): vscode.Disposable {
  return showTree<Node>({
    view: "bascule.sessions",
    changes: [daemon.onCards, daemon.onState, vscode.workspace.onDidChangeWorkspaceFolders],
    children: (node) => (node ? childrenOf(node) : listTop(daemon)),
    item: (node) => {
      if ("cards" in node) return folderItem(node);
      return "more" in node ? moreItem(node) : sessionItem(node);
    },
    appear: () => daemon.start(),
    badge: () => {
      const { waiting } = countCards(daemon.cards.values());
      return waiting ? { value: waiting, tooltip: vscode.l10n.t("{0} waiting for you", waiting) } : undefined;
    },
    message: () => sayConnection(daemon),
  });
}

/// What is listed is old, or not there yet. Where nothing can be listed, a welcome says why.
function sayConnection({ state, cards, isListed }: Daemon): string | undefined {
  if (state.is === "down" && cards.size > 0) return vscode.l10n.t("Can't reach Bascule. Reconnecting…");
  const isComing = state.is === "connecting" || (state.is === "open" && !isListed);
  return isComing && cards.size === 0 ? vscode.l10n.t("Connecting to Bascule…") : undefined;
}

/// By folder; in a window with one folder and no sessions elsewhere, without it.
function listTop(daemon: Daemon): Node[] {
  const open = folders();
  const groups = groupCards(daemon.cards.values(), open);
  const only = groups.length === 1 && open.length === 1 ? groups[0] : undefined;
  return only?.isOpen ? childrenOf(only) : groups;
}

function childrenOf(node: Node): Node[] {
  if (!("cards" in node)) return [];
  const { shown, more } = cutCards(node.cards);
  return more > 0 ? [...shown, { more, folder: node.folder }] : [...shown];
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
  return makeLine({
    id: card.session_id,
    session_id: card.session_id,
    title: sayTitle(card),
    words: describe(card),
    folder: card.workspace,
    icon: card,
    context: `session ${isWaiting(card) ? "waiting" : card.status}`,
    card,
  });
}
