// The commands: what the palette, menus and keys can do to sessions and to the daemon.

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Card } from "../../ui/src/model.gen";
import type { Pages } from "./chat/pages";
import { applyDiff } from "./consent/applying";
import type { Questions } from "./consent/questions";
import type { Daemon } from "./daemon/daemon";
import { type Diffs, findShownDiff } from "./editor/diffs";
import type { HunkChoice } from "./editor/hunk_choice";
import { offer, tell } from "./messages";
import { unlinked } from "./words";

const PATIENCE_MS = 60_000;
const LINK = /https?:\/\/\S+#token=\S+/;
const run = promisify(execFile);

export interface Parts {
  daemon: Daemon;
  pages: Pages;
  diffs: Diffs;
  hunks: HunkChoice;
  questions: Questions;
  log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { daemon, pages, diffs, hunks, questions, log } = parts;
  const on = (name: string, act: (card?: Card) => unknown) =>
    vscode.commands.registerCommand(`bascule.${name}`, async (card?: Card) => {
      try {
        await act(card);
      } catch (fault) {
        await tell("warning", (fault as Error).message);
      }
    });
  /// The one that a menu names, the one that is shown, or the one that a person picks.
  const find = async (card: Card | undefined): Promise<Card | undefined> =>
    card?.session_id ? card : (daemon.card(pages.shown()) ?? (await pick(daemon)));
  const onSession = (name: string, act: (card: Card) => unknown) =>
    on(name, async (card) => {
      const found = await find(card);
      if (found) await act(found);
    });
  return vscode.Disposable.from(
    on("newSession", async () => {
      const workspace = await pickFolder();
      if (!workspace) return;
      const { session_id } = await daemon.call("session.create", { workspace });
      await pages.show(session_id, vscode.l10n.t("New session"));
    }),
    on("sessions", async () => {
      daemon.start();
      const card = await pick(daemon);
      if (card) await pages.show(card.session_id, card.title);
    }),
    onSession("openSession", (card) => pages.show(card.session_id, card.title)),
    onSession("openInEditor", (card) => pages.openTab(card.session_id, card.title)),
    onSession("rename", async (card) => {
      const title = await vscode.window.showInputBox({
        prompt: vscode.l10n.t("A new title"),
        value: card.title,
      });
      if (title?.trim())
        await daemon.call("session.rename", { session_id: card.session_id, title: title.trim() });
    }),
    onSession("hide", (card) => daemon.call("session.hide", { session_id: card.session_id, hidden: true })),
    onSession("interrupt", (card) => daemon.call("session.interrupt", { session_id: card.session_id })),
    onSession("openLatestDiff", (card) =>
      diffs.open({ session: card.session_id, title: vscode.l10n.t("Latest diff of {0}", card.title) }),
    ),
    on("applyDiff", () => apply(parts)),
    on("toggleHunk", (place) => hunks.toggle(place)),
    on("revertHunk", (place) => revert(parts, place, false)),
    on("revertDiff", () => revert(parts, undefined, true)),
    onSession("runTests", (card) => runTests(parts, card)),
    on("answer", (card) => {
      const waiting = questions.find(card?.session_id ?? "");
      return waiting
        ? questions.ask(waiting)
        : tell("info", vscode.l10n.t("Nothing is waiting for an answer."));
    }),
    on("openInBrowser", async () => {
      const link = LINK.exec(await ask(daemon, "up", "--no-open"))?.[0];
      if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
    }),
    on("doctor", async () => {
      log.show();
      log.info(await ask(daemon, "doctor"));
    }),
    on("showLogs", async () => {
      log.show();
      log.info(await ask(daemon, "logs", "--lines", "200"));
    }),
    on("reconnect", () => daemon.start()),
  );
}

/// What is chosen of the diff in front.
async function apply({ daemon, questions, hunks }: Parts): Promise<void> {
  const shown = findShownDiff();
  if (!shown || shown.isReverse) return tell("info", vscode.l10n.t("Open a diff first."));
  const diff = await hunks.prepare(shown.diffId);
  if (!diff) return tell("info", vscode.l10n.t("Nothing to apply: you left out every change."));
  await applyDiff(daemon, questions, diff);
}

/// One hunk of what the latest run changed, or all of it.
async function revert({ daemon, diffs, questions, hunks }: Parts, place: unknown, isAll: boolean) {
  const shown = findShownDiff();
  if (!shown?.isReverse) return tell("info", vscode.l10n.t("Open the latest diff first."));
  const diff = isAll ? shown.diffId : await hunks.prepareRevert(place);
  if (diff && (await applyDiff(daemon, questions, diff))) await diffs.openAgain(shown.diffId);
}

async function runTests({ daemon, questions, log }: Parts, card: Card): Promise<void> {
  questions.wished({ id: 0, does: "run", session: card.session_id });
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: unlinked(vscode.l10n.t("Tests of {0}", card.title)),
  };
  const ran = await vscode.window.withProgress(progress, () =>
    daemon.call("test.run", { session_id: card.session_id }),
  );
  if (ran.logs) log.info(ran.logs);
  const show = vscode.l10n.t("Show Logs");
  const level = ran.status === "ok" ? "info" : "warning";
  void offer(level, ran.summary, ...(ran.logs ? [show] : [])).then((chosen) => chosen === show && log.show());
}

/// What a command of `bascule` prints. A no is printed as well.
async function ask(daemon: Daemon, ...words: string[]): Promise<string> {
  const found = daemon.findCommand();
  if (!found) throw new Error(vscode.l10n.t("Bascule is not available."));
  const demo = found.demo && words[0] !== "doctor" ? ["--demo"] : [];
  const options = { cwd: homedir(), timeout: PATIENCE_MS, maxBuffer: 16 * 1024 * 1024 };
  try {
    return (await run(found.command, [...words, ...demo], options)).stdout;
  } catch (fault) {
    const { stdout, stderr } = fault as { stdout?: string; stderr?: string };
    return `${stdout ?? ""}${stderr ?? String(fault)}`;
  }
}

async function pick(daemon: Daemon): Promise<Card | undefined> {
  const cards = [...daemon.cards.values()].filter((card) => card.workspace && !card.parent);
  cards.sort((a, b) => (b.updated_at_ms ?? 0) - (a.updated_at_ms ?? 0));
  const items = cards.map((card) => ({
    label: card.title,
    description: card.workspace,
    detail: card.status,
    card,
  }));
  const chosen = await vscode.window.showQuickPick(items, { matchOnDescription: true, title: "Bascule" });
  return chosen?.card;
}

async function pickFolder(): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((one) => one.uri.scheme === "file");
  if (folders.length === 0) void tell("info", vscode.l10n.t("Open a folder first."));
  if (folders.length < 2) return folders[0]?.uri.fsPath;
  return (await vscode.window.showWorkspaceFolderPick())?.uri.fsPath;
}
