// One item in the status bar: what waits, what works, or why there is no daemon.
import * as vscode from "vscode";
import type { Daemon } from "../daemon/daemon";
import { countCards } from "./groups";

export function makeStatusBar(daemon: Daemon): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("bascule.status", vscode.StatusBarAlignment.Left, 50);
  item.name = "Bascule";
  item.command = "bascule.sessions";
  const draw = () => {
    const { waiting, working } = countCards(daemon.cards.values());
    const isDown = daemon.state.is === "down";
    item.text = isDown ? "$(debug-disconnect) Bascule" : say(waiting, working);
    item.tooltip = isDown
      ? vscode.l10n.t("Can't reach Bascule.")
      : vscode.l10n.t("{0} waiting for you, {1} working", waiting, working);
    item.backgroundColor = waiting > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    item.accessibilityInformation = { label: `Bascule: ${item.tooltip}` };
    item.show();
  };
  return vscode.Disposable.from(item, daemon.onCards(draw), daemon.onState(draw));
}

function say(waiting: number, working: number): string {
  const parts = [
    ...(waiting ? [`$(bell-dot) ${waiting}`] : []),
    ...(working ? [`$(sync~spin) ${working}`] : []),
  ];
  return ["Bascule", ...parts].join(" ");
}
