// Every agent's session on this machine, no matter who started it: what waits on top, and a badge for what is not ours.
import { basename } from "node:path";
import * as vscode from "vscode";
import { sayAgent } from "../../../ui/src/frame/session/agent_name";
import type { HomeEntry } from "../../../ui/src/home/entries";
import { viewId } from "../../../ui/src/state/sessions/viewed";
import type { Daemon } from "../daemon/daemon";
import { plainTitle } from "../words";
import { listBoard } from "./board_list";
import { makeLine, showTree } from "./live_tree";
import { describe, sayTitle } from "./session_words";

export function showBoard(daemon: Daemon): vscode.Disposable {
  const list = () => listBoard(daemon.cards.values(), daemon.board.values());
  return showTree<HomeEntry>({
    view: "bascule.board",
    changes: [daemon.onBoard, daemon.onCards],
    children: (entry) => (entry ? [] : list()),
    item: makeItem,
    appear: () => daemon.watchBoard(),
    badge: () => (daemon.board.size > 0 ? badgeOf(list()) : undefined), // else nobody has looked yet
  });
}

/// Our own are counted by the other list.
function badgeOf(entries: readonly HomeEntry[]): vscode.ViewBadge | undefined {
  const value = entries.filter((one) => one.kind === "theirs" && one.status === "waiting_user").length;
  const tooltip = vscode.l10n.t("{0} sessions of other programs waiting for you", value);
  return value ? { value, tooltip } : undefined;
}

function makeItem(entry: HomeEntry): vscode.TreeItem {
  const { session_id, title, words } = sayEntry(entry);
  return makeLine({
    id: entry.key,
    session_id,
    title,
    words: [...words, sayAgent(entry.agent), basename(entry.folder)].filter(Boolean).join(" · "),
    folder: entry.folder,
    icon: entry.kind === "ours" ? entry.card : { status: entry.status },
    context: entry.kind,
  });
}

function sayEntry(entry: HomeEntry): { session_id: string; title: string; words: string[] } {
  if (entry.kind === "ours") {
    const { session_id } = entry.card;
    return { session_id, title: sayTitle(entry.card), words: [describe(entry.card)] };
  }
  const { key, their_id, title, doing } = entry.session;
  const words = [describe({ status: entry.status }), plainTitle(doing ?? "")];
  return { session_id: viewId(key), title: plainTitle(title || their_id), words };
}
