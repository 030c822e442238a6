// What stands between a person and the first prompt, though the daemon is there: no agent, or nobody signed in to it.

import * as vscode from "vscode";
import { sayAgent } from "../../../ui/src/frame/session/agent_name";
import type { Check } from "../../../ui/src/model.gen";
import { plainTitle } from "../words";
import type { Daemon } from "./daemon";
import { type Said, type Step, show } from "./troubles";

const QUIET = "signIn.quiet"; // where a person said so: their own model provider may need no sign-in

export function tellFirstSteps(daemon: Daemon, kept: vscode.Memento): vscode.Disposable {
  let told = "";
  return daemon.onState(async ({ is }) => {
    if (is !== "open") return;
    const check = await findOpen(daemon);
    if (check?.step === "sign_in" && kept.get(QUIET, false)) return;
    const said = check && describe(check, kept);
    const isNew = said && said.text !== told; // once, also where the connection comes back
    told = said?.text ?? "";
    if (isNew) await show(said);
  });
}

/// The demo's agent needs neither.
async function findOpen(daemon: Daemon): Promise<Check | undefined> {
  const inspected = await daemon.call("setup.inspect", {}).catch(() => undefined);
  return inspected?.demo ? undefined : inspected?.checks.find((check) => check.step);
}

function describe(check: Check, kept: vscode.Memento): Said {
  const agent = plainTitle(sayAgent(check.name.split(" ")[0])); // "codex sign-in" is about Codex
  const [command] = check.commands ?? [];
  if (check.step === "sign_in") {
    const never = { label: vscode.l10n.t("Don't Show Again"), act: () => kept.update(QUIET, true) };
    return {
      text: vscode.l10n.t("Nobody is signed in to {0}. Your own model provider may need no sign-in.", agent),
      steps: [...inTerminal(vscode.l10n.t("Sign In in Terminal"), command), never],
    };
  }
  if (command !== undefined)
    return {
      text: vscode.l10n.t("{0} is not installed yet.", agent),
      steps: inTerminal(vscode.l10n.t("Install in Terminal"), command),
    };
  const setup = vscode.l10n.t("Check the Setup"); // a setting names the program: nothing of ours to install
  return {
    text: `${agent}: ${[check.text, check.next].filter(Boolean).join(" ")}`,
    steps: [{ label: setup, act: () => vscode.commands.executeCommand("bascule.doctor") }],
  };
}

function inTerminal(label: string, command: string | undefined): Step[] {
  return command === undefined ? [] : [{ label, act: () => type(command) }];
}

/// Typed into a terminal, and left for the person to run.
function type(command: string): void {
  const terminal = vscode.window.createTerminal({ name: "Bascule" });
  terminal.show();
  terminal.sendText(command, false);
}
