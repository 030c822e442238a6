// The extension: a daemon found or started, its pages in views and tabs, and what only an editor can do.
import * as vscode from "vscode";
import { Pages, TAB, VIEW } from "./chat/pages";
import { Store } from "./chat/store";
import { registerCommands, sayFault } from "./commands";
import { Questions } from "./consent/questions";
import { Daemon } from "./daemon/daemon";
import { tellFirstSteps } from "./daemon/first_steps";
import { tellIgnored } from "./daemon/ignored_settings";
import { findStep, tellTroubles } from "./daemon/troubles";
import { ContextWatch } from "./editor/context";
import { Diffs } from "./editor/diffs";
import { HunkChoice } from "./editor/hunk_choice";
import { openFile } from "./editor/open_file";
import { registerPromptCommands } from "./editor/to_prompt";
import { findBar } from "./editor/unsaved";
import { showBoard } from "./sessions/board_tree";
import { tellEnded } from "./sessions/ended";
import { makeStatusBar } from "./sessions/status_bar";
import { showSessions } from "./sessions/tree";

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Bascule", { log: true });
  const daemon = new Daemon(log, String(context.extension.packageJSON.version));
  const diffs = new Diffs(daemon);
  const hunks = new HunkChoice(daemon, diffs);
  const watch = new ContextWatch((now) => pages.tellContext(now));
  const questions = new Questions(daemon, {
    showSession: (session) => pages.show(session),
    isLookedAt: (session) => pages.isLookedAt(session),
    showDiff: (diffId, session) => diffs.open({ diffId, session, title: pages.titleOf(session) }),
  });
  const pages = new Pages({
    extensionUri: context.extensionUri,
    daemon,
    store: new Store(context.workspaceState),
    context: () => watch.now(),
    findBar: async (wish) => hunks.findBar(wish) || findBar(daemon, wish),
    nextStep: () => findStep(daemon, log),
    wished: (wish) => questions.wished(wish),
    openFile: (workspace, place) => openFile(workspace, place, (folder) => daemon.knows(folder)),
    openDiff: (diff) => diffs.open(diff),
  });
  const reconnect = () => daemon.start();
  context.subscriptions.push(
    log,
    daemon,
    diffs,
    hunks,
    watch,
    questions,
    pages,
    tellTroubles(daemon, log),
    tellFirstSteps(daemon, context.globalState),
    tellIgnored(context.extension),
    tellEnded(daemon, pages),
    showSessions(daemon),
    showBoard(daemon),
    makeStatusBar(daemon),
    registerCommands({
      daemon,
      pages,
      diffs,
      hunks,
      questions,
      log,
      readme: vscode.Uri.joinPath(context.extensionUri, "readme.md"),
    }),
    registerPromptCommands(pages, (fault) => sayFault({ daemon, log }, fault)),
    vscode.window.registerWebviewViewProvider(VIEW, pages, {
      webviewOptions: { retainContextWhenHidden: true },
    }),
    vscode.window.registerWebviewPanelSerializer(TAB, pages),
    vscode.workspace.onDidGrantWorkspaceTrust(reconnect),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("bascule.command") || change.affectsConfiguration("bascule.demo"))
        daemon.restart();
    }),
  );
  daemon.start();
}
