// Messages of the editor, in which the words of others are no links: there, `[text](command:…)` would run a command.
import * as vscode from "vscode";
import { unlinked } from "./words";

type Level = "info" | "warning";

/// Nothing else in the extension shows a message.
export async function tell(level: Level, text: string): Promise<void> {
  await offer(level, text);
}

/// The button that was clicked, if any.
export function offer(level: Level, text: string, ...buttons: string[]): Thenable<string | undefined> {
  const show = level === "info" ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  return show(unlinked(text), ...buttons);
}

/// Of an Ask that is open no more.
export function sayOver(): string {
  return vscode.l10n.t("This was answered elsewhere, or is no longer asked. Nothing was done here.");
}

/// What nobody has asked for in this window is shown only to those who want it.
export function mayNotify(): boolean {
  return vscode.workspace.getConfiguration("bascule").get("notifications", true);
}

export function askModal<T extends vscode.MessageItem>(
  title: string,
  detail: string,
  buttons: readonly T[],
): Thenable<T | undefined> {
  const options = { modal: true, detail: unlinked(detail) };
  return vscode.window.showWarningMessage(unlinked(title), options, ...buttons);
}
