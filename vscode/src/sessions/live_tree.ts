// A native list that follows the daemon: drawn again a moment after something has changed, with a badge.
import * as vscode from "vscode";
import type { Card } from "../../../ui/src/model.gen";
import { iconOf } from "./session_words";

const REDRAW_MS = 200; // sessions change many times a second while agents work

export interface Listing<Node> {
  view: string;
  changes: readonly vscode.Event<unknown>[];
  children(node?: Node): Node[];
  item(node: Node): vscode.TreeItem;
  /// Somebody looks at it.
  appear(): void;
  badge(): vscode.ViewBadge | undefined;
  message?(): string | undefined;
}

export function showTree<Node>(listing: Listing<Node>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider = {
    onDidChangeTreeData: changed.event,
    getChildren: (node?: Node) => listing.children(node),
    getTreeItem: (node: Node) => listing.item(node),
  };
  const view = vscode.window.createTreeView(listing.view, { treeDataProvider: provider });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const redraw = () => {
    timer = undefined;
    if (view.visible) changed.fire();
    view.badge = listing.badge();
    view.message = listing.message?.();
  };
  const redrawSoon = () => {
    timer ??= setTimeout(redraw, REDRAW_MS);
  };
  const appear = () => {
    listing.appear();
    redrawSoon();
  };
  if (view.visible) appear();
  return vscode.Disposable.from(
    view,
    changed,
    { dispose: () => clearTimeout(timer) },
    ...listing.changes.map((event) => event(redrawSoon)),
    view.onDidChangeVisibility(({ visible }) => visible && appear()),
  );
}

export interface Line {
  id: string;
  session_id: string;
  title: string;
  words: string; // beside the title
  folder: string;
  icon: Pick<Card, "status" | "outcome" | "asks">;
  context: string; // for menus
  card?: Card;
}

/// A session's line; a click shows the session.
export function makeLine(line: Line): vscode.TreeItem {
  const { id, session_id, title, words, folder, icon, context, card } = line;
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.description = words;
  item.tooltip = [title, folder, words].filter(Boolean).join("\n");
  item.iconPath = iconOf(icon);
  item.contextValue = context;
  item.command = { command: "bascule.openSession", title: "", arguments: [card ?? { session_id, title }] };
  item.accessibilityInformation = { label: [title, words].filter(Boolean).join(", ") };
  return item;
}
