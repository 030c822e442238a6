// What is wrong, said once, with a button that does the next step.

import * as vscode from "vscode";
import { offer } from "../messages";
import type { BridgeEnd } from "./bridge";
import type { LossWords } from "./calls";
import type { State, Trouble } from "./connection";
import type { Daemon } from "./daemon";

export interface Said {
  text: string;
  steps: readonly Step[];
}

export interface Step {
  label: string;
  act(): unknown;
  isConsent?: true; // which no page may give
}

export function tellTroubles(daemon: Daemon, log: vscode.LogOutputChannel): vscode.Disposable {
  let told = "";
  return daemon.onState(async (state) => {
    if (state.is === "open") told = "";
    if (state.is !== "down" || isPassing(state)) return;
    const said = describe(state.trouble, daemon, log);
    if (said.text === told) return; // each said once, as long as it lasts
    told = said.text;
    await show(said);
  });
}

/// Once more, because something was asked for that needs a daemon. False where there is one.
export function tellTrouble(daemon: Daemon, log: vscode.LogOutputChannel): boolean {
  if (daemon.state.is !== "down") return false;
  void show(describe(daemon.state.trouble, daemon, log));
  return true;
}

/// For a page, whose word is not a person's: the first step that only shows something.
export function findStep(daemon: Daemon, log: vscode.LogOutputChannel): Step | undefined {
  const trouble = daemon.trouble();
  return trouble && stepsOf(trouble, daemon, log).find((step) => !step.isConsent);
}

/// A connection that was lost comes back by itself; why is in the chat view and in the log.
function isPassing(state: State): boolean {
  return state.is === "down" && (state.trouble.what === "lost" || state.trouble.what === "untrusted");
}

export function sayTrouble(trouble: Trouble): string {
  switch (trouble.what) {
    case "missing":
      return trouble.command
        ? vscode.l10n.t("Can't find {0}, which bascule.command names.", trouble.command)
        : vscode.l10n.t("Bascule isn't installed on this machine.");
    case "inWorkspace":
      return vscode.l10n.t(
        "Bascule was only found inside a project ({0}), where agents may change files.",
        trouble.command,
      );
    case "mismatch":
      return vscode.l10n.t(
        "Bascule {0} speaks another version of the protocol than this extension. Update the older one.",
        trouble.version,
      );
    case "refused":
      return vscode.l10n.t("Bascule can't start: {0}", trouble.why);
    case "untrusted":
      return vscode.l10n.t("Bascule starts nothing in a folder that you don't trust.");
    case "lost":
      return vscode.l10n.t("Can't reach Bascule. Nothing was done.");
  }
}

/// Why a page has no line any more.
export function sayEnd(end: BridgeEnd): string {
  switch (end.how) {
    case "closed":
      return "";
    case "missing":
      return vscode.l10n.t("Bascule isn't installed on this machine.");
    case "unread":
      return vscode.l10n.t("Bascule is too busy to read what it was sent.");
    case "overlong":
      return vscode.l10n.t("Bascule said more at once than the editor can take.");
    case "refused":
    case "lost":
      return end.why;
  }
}

/// For calls that nobody answers.
export function makeLossWords(): LossWords {
  return {
    unreachable: vscode.l10n.t("Can't reach Bascule. Nothing was done."),
    closed: vscode.l10n.t(
      "The connection to Bascule was closed. What was asked for last may have been done.",
    ),
    lost: vscode.l10n.t("The connection to Bascule was lost. What was asked for last may have been done."),
    busy: vscode.l10n.t("Bascule is too busy. Nothing was done."),
  };
}

function describe(trouble: Trouble, daemon: Daemon, log: vscode.LogOutputChannel): Said {
  return { text: sayTrouble(trouble), steps: stepsOf(trouble, daemon, log) };
}

function stepsOf(trouble: Trouble, daemon: Daemon, log: vscode.LogOutputChannel): Step[] {
  const command = (label: string, name: string, ...words: string[]) => {
    return { label, act: () => vscode.commands.executeCommand(name, ...words) };
  };
  const again = { label: vscode.l10n.t("Try Again"), act: () => daemon.start() };
  const logs = { label: vscode.l10n.t("Show Logs"), act: () => log.show() };
  const settings = command(
    vscode.l10n.t("Open Settings"),
    "workbench.action.openSettings",
    "bascule.command",
  );
  const install = command(vscode.l10n.t("How to Install"), "bascule.howToInstall");
  switch (trouble.what) {
    case "missing":
      return trouble.command ? [settings, again] : [install, settings, again];
    case "inWorkspace":
      return [
        { label: vscode.l10n.t("Use It Anyway"), act: () => use(trouble.command), isConsent: true },
        install,
      ];
    case "mismatch":
      return [install, again];
    case "untrusted":
      return [command(vscode.l10n.t("Manage Workspace Trust"), "workbench.trust.manage")];
    default:
      return [logs, again];
  }
}

export async function show(said: Said): Promise<void> {
  const chosen = await offer("warning", said.text, ...said.steps.map((step) => step.label));
  await said.steps.find((step) => step.label === chosen)?.act();
}

async function use(command: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration("bascule");
  await settings.update("command", command, vscode.ConfigurationTarget.Global);
}
