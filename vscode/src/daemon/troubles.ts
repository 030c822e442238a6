// What is wrong, said once, with a button that does the next step.

import * as vscode from "vscode";
import { offer } from "../messages";
import type { State, Trouble } from "./connection";
import type { Daemon } from "./daemon";

const INSTALL = "uv tool install bascule || pipx install bascule";

interface Said {
  text: string;
  steps: readonly Step[];
}

interface Step {
  label: string;
  act(): unknown;
}

export function sayTroubles(daemon: Daemon, log: vscode.LogOutputChannel): vscode.Disposable {
  let told = "";
  return daemon.onState(async (state) => {
    if (state.is === "open") told = "";
    if (state.is === "open") void sayMissing(daemon);
    if (state.is !== "down" || isPassing(state)) return;
    const said = describe(state.trouble, daemon, log);
    if (!said || said.text === told) return; // each said once, as long as it lasts
    told = said.text;
    await show(said);
  });
}

/// A connection that was lost comes back by itself; why is in the chat view and in the log.
function isPassing(state: State): boolean {
  return state.is === "down" && (state.trouble.what === "lost" || state.trouble.what === "untrusted");
}

export function describe(trouble: Trouble, daemon: Daemon, log: vscode.LogOutputChannel): Said | undefined {
  const again = { label: vscode.l10n.t("Try Again"), act: () => daemon.start() };
  const settings = {
    label: vscode.l10n.t("Open Settings"),
    act: () => vscode.commands.executeCommand("workbench.action.openSettings", "bascule.command"),
  };
  const logs = { label: vscode.l10n.t("Show Logs"), act: () => log.show() };
  switch (trouble.what) {
    case "missing":
      return trouble.command
        ? {
            text: vscode.l10n.t("Can't find {0}, which bascule.command names.", trouble.command),
            steps: [settings, again],
          }
        : {
            text: vscode.l10n.t("Bascule isn't installed on this machine."),
            steps: [
              { label: vscode.l10n.t("Install in Terminal"), act: () => type(INSTALL) },
              settings,
              again,
            ],
          };
    case "inWorkspace":
      return {
        text: vscode.l10n.t(
          "Bascule was only found inside a project ({0}), where agents may change files.",
          trouble.command,
        ),
        steps: [
          { label: vscode.l10n.t("Use It Anyway"), act: () => use(trouble.command) },
          { label: vscode.l10n.t("Install in Terminal"), act: () => type(INSTALL) },
        ],
      };
    case "mismatch":
      return {
        text: vscode.l10n.t(
          "Bascule {0} speaks another version of the protocol than this extension. Update the older one.",
          trouble.version,
        ),
        steps: [
          {
            label: vscode.l10n.t("Update in Terminal"),
            act: () => type("uv tool upgrade bascule && bascule down"),
          },
          again,
        ],
      };
    case "refused":
      return { text: vscode.l10n.t("Bascule can't start: {0}", trouble.why), steps: [logs, again] };
    default:
      return undefined;
  }
}

/// What the daemon itself misses: no agent, or one that is signed out.
async function sayMissing(daemon: Daemon): Promise<void> {
  const inspected = await daemon.call("setup.inspect", {}).catch(() => undefined);
  const missing = inspected?.checks.find((check) => check.state === "missing" && check.step);
  const command = missing?.commands?.[0];
  if (!missing) return;
  const label =
    missing.step === "sign_in" ? vscode.l10n.t("Sign In in Terminal") : vscode.l10n.t("Install in Terminal");
  await show({
    text: `${missing.name}: ${missing.text}`,
    steps: command ? [{ label, act: () => type(command) }] : [],
  });
}

async function show(said: Said): Promise<void> {
  const chosen = await offer("warning", said.text, ...said.steps.map((step) => step.label));
  await said.steps.find((step) => step.label === chosen)?.act();
}

/// Typed into a terminal, and left for the person to run.
function type(command: string): void {
  const terminal = vscode.window.createTerminal({ name: "Bascule" });
  terminal.show();
  terminal.sendText(command, false);
}

async function use(command: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration("bascule");
  await settings.update("command", command, vscode.ConfigurationTarget.Global);
}
