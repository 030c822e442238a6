// The commands: what the palette, menus and keys can do to sessions and to the daemon.

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Card } from "../../ui/src/model.gen";
import type { Pages } from "./chat/pages";
import { applyDiff } from "./consent/applying";
import type { Questions } from "./consent/questions";
import { Unreachable } from "./daemon/calls";
import type { Daemon } from "./daemon/daemon";
import { sayTrouble, tellTrouble } from "./daemon/troubles";
import { type Diffs, findShownDiff } from "./editor/diffs";
import type { HunkChoice } from "./editor/hunk_choice";
import { awaitFolders, ownFolders } from "./folders";
import { isDirect } from "./loopback";
import { offer, tell } from "./messages";
import { realOf } from "./real_path";
import { listCards } from "./sessions/groups";
import { describe, iconOf, sayTitle } from "./sessions/session_words";
import { plainTitle, unlinked } from "./words";

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
  readme: vscode.Uri; // ours
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { daemon, pages, diffs, hunks, questions, log } = parts;
  const on = (name: string, act: (card?: Card) => unknown) =>
    vscode.commands.registerCommand(`bascule.${name}`, async (card?: Card) => {
      try {
        await act(card);
      } catch (fault) {
        await sayFault(parts, fault);
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
      await pages.show(session_id);
    }),
    on("sessions", async () => {
      daemon.start();
      const card = await pick(daemon);
      if (card) await pages.show(card.session_id);
    }),
    onSession("openSession", (card) => pages.show(card.session_id)),
    onSession("openInEditor", (card) => pages.openTab(card.session_id)),
    onSession("rename", async (card) => {
      const title = await vscode.window.showInputBox({
        prompt: vscode.l10n.t("A new title"),
        value: card.title,
        ignoreFocusOut: true, // a chat that is still loading takes the focus
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
    on("openInBrowser", () => openInBrowser(daemon)),
    on("howToInstall", () => vscode.commands.executeCommand("markdown.showPreview", parts.readme)),
    on("doctor", async () => {
      log.show();
      log.info(await ask(daemon, "doctor"));
    }),
    on("showLogs", async () => {
      log.show();
      log.info(await ask(daemon, "logs", "--lines", "1000"));
    }),
    on("reconnect", () => daemon.start()),
  );
}

/// Why it was not done, with the next step where there is no daemon.
export async function sayFault(
  { daemon, log }: Pick<Parts, "daemon" | "log">,
  fault: unknown,
): Promise<void> {
  if (fault instanceof Unreachable && tellTrouble(daemon, log)) return;
  await tell("warning", (fault as Error).message);
}

/// The page answers on this machine alone: through an editor's proxy it would refuse.
async function openInBrowser(daemon: Daemon): Promise<void> {
  const said = await ask(daemon, "up", "--no-open");
  const link = LINK.exec(said)?.[0];
  if (!link) throw new Error(said.trim());
  const uri = vscode.Uri.parse(link, true);
  const outside = await vscode.env.asExternalUri(uri);
  if (isDirect(outside, uri)) return void (await vscode.env.openExternal(uri));
  const text = vscode.l10n.t(
    "This editor reaches other programs through {0}, where Bascule doesn't answer. Open the link in a browser on the machine that Bascule runs on.",
    outside.authority,
  );
  const copy = vscode.l10n.t("Copy Link");
  if ((await offer("info", text, copy)) === copy) await vscode.env.clipboard.writeText(link);
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
  if ("what" in found) throw new Unreachable(sayTrouble(found));
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
  await daemon.listed();
  const cards = listCards(daemon.cards.values());
  if (cards.length === 0) return void (await tell("info", vscode.l10n.t("No sessions yet.")));
  const items = cards.map((card) => ({
    label: sayTitle(card),
    description: describe(card),
    detail: plainTitle(card.workspace),
    iconPath: iconOf(card),
    card,
  }));
  const chosen = await vscode.window.showQuickPick(items, { matchOnDetail: true, title: "Bascule" });
  return chosen?.card;
}

async function pickFolder(): Promise<string | undefined> {
  const known = await awaitFolders();
  if (known.length === 0) void tell("info", vscode.l10n.t("Open a folder first."));
  if (known.length < 2) return known[0];
  // Not the editor's own list of folders: a chat that has just loaded takes the focus, which would close it.
  const items = ownFolders().map((folder) => ({
    label: plainTitle(basename(folder)),
    description: plainTitle(dirname(folder)),
    folder,
  }));
  const placeHolder = vscode.l10n.t("The folder of the new session");
  const picked = await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true });
  return picked && realOf(picked.folder);
}
