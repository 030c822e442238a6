// Asks in the editor: what was requested in this window is asked in a modal dialog, the rest in a notification.

import * as vscode from "vscode";
import type { Choice, WaitingAsk } from "../../../ui/src/model.gen";
import type { Wish } from "../chat/outgoing";
import { Refused } from "../daemon/calls";
import type { Daemon } from "../daemon/daemon";
import { findYesBar } from "../editor/unsaved";
import { askModal, mayNotify, offer, sayOver, tell } from "../messages";
import { detailOf, fitsDialog, makeButtons, type Words } from "./wording";

const REMEMBERED_MS = 60_000; // between what a person wished for and the Ask for it
const MAX_TOLD = 500;
const MAX_WISHES = 50; // that wait for their Ask

export interface Reach {
  showSession(session: string): Promise<void>;
  showDiff(diffId: string, session: string): Promise<void>;
  isLookedAt(session: string): boolean;
}

interface Wished {
  wish: Wish;
  at: number;
}

/// A dialog that comes up by itself could be answered by somebody who is typing. So only what a person has just
/// asked for here is modal at once; everything else waits behind a notification, the sidebar's badge and the chat.
export class Questions implements vscode.Disposable {
  private readonly told = new Set<string>();
  private wishes: Wished[] = [];
  private readonly heard: vscode.Disposable;
  private isAsking = false;

  constructor(
    private readonly daemon: Daemon,
    private readonly reach: Reach,
  ) {
    this.heard = daemon.onAsks(() => this.look());
  }

  /// Something that will be asked about was requested in this window.
  wished(wish: Wish): void {
    this.wishes = [
      ...this.wishes.slice(-MAX_WISHES).filter((one) => Date.now() - one.at < REMEMBERED_MS),
      { wish, at: Date.now() },
    ];
    this.look();
  }

  /// The dialog for an Ask; also for one that another surface has opened.
  async ask(waiting: WaitingAsk): Promise<void> {
    if (!fitsDialog(waiting.ask)) return this.reach.showSession(waiting.session_id);
    if (this.isAsking) return; // one dialog at a time: the other stays in the inbox
    this.isAsking = true;
    try {
      await this.askNow(waiting);
    } finally {
      this.isAsking = false;
    }
    this.look();
  }

  find(session: string): WaitingAsk | undefined {
    return this.daemon.asks.find((one) => !session || one.session_id === session);
  }

  dispose(): void {
    this.heard.dispose();
  }

  private look(): void {
    for (const waiting of this.daemon.asks) {
      if (this.told.has(waiting.ask.id)) continue;
      const isOurs = this.takeWish(waiting);
      if (isOurs && this.isAsking) continue; // after the dialog that is open
      this.told.add(waiting.ask.id);
      if (this.told.size > MAX_TOLD) this.told.delete(this.told.values().next().value ?? "");
      if (isOurs) void this.ask(waiting);
      else if (!this.reach.isLookedAt(waiting.session_id)) void this.notify(waiting); // else it is in sight
    }
  }

  private takeWish({ ask, session_id }: WaitingAsk): boolean {
    if (ask.by !== "bascule" || ask.sender || ask.outside) return false;
    return this.wishes.some(({ wish }) =>
      wish.does === "write"
        ? ask.edit === wish.diff
        : wish.does === "run" && isRun(ask) && session_id === wish.session,
    );
  }

  private async notify(waiting: WaitingAsk): Promise<void> {
    if (!mayNotify()) return;
    const answer = vscode.l10n.t("Answer…");
    const open = vscode.l10n.t("Open");
    const text = `${waiting.title}: ${waiting.ask.title}`;
    const chosen = await offer("info", text, answer, open);
    if (chosen === answer) await this.askIfOpen(waiting);
    if (chosen === open) await this.reach.showSession(waiting.session_id);
  }

  private async askIfOpen(waiting: WaitingAsk): Promise<void> {
    if (this.isOpen(waiting)) await this.ask(waiting);
    else await tell("info", sayOver());
  }

  private async askNow(waiting: WaitingAsk): Promise<void> {
    const { ask } = waiting;
    const look = ask.edit ? vscode.l10n.t("Show Diff") : vscode.l10n.t("Open");
    const buttons = makeButtons(ask.choices, look);
    const detail = detailOf(ask, this.daemon.workspaceOf(waiting), makeWords());
    const chosen = await askModal(ask.title, detail, buttons);
    if (!this.isOpen(waiting)) return void tell("info", sayOver());
    if (!chosen) return; // the window went away: the Ask is still open everywhere
    if (chosen.choice) return this.answer(waiting, chosen.choice);
    if (!ask.edit) return this.reach.showSession(waiting.session_id);
    await this.reach.showDiff(ask.edit, waiting.session_id);
    void this.notify(waiting);
  }

  private async answer(waiting: WaitingAsk, choice: Choice): Promise<void> {
    const bar = findYesBar(this.daemon, waiting, choice.id);
    if (bar) {
      await tell("warning", bar);
      return void this.notify(waiting);
    }
    try {
      await this.daemon.call("ask.answer", {
        session_id: waiting.session_id,
        ask_id: waiting.ask.id,
        choice: choice.id,
        shown: waiting.ask.shown ?? 0,
      });
    } catch (fault) {
      const text =
        fault instanceof Refused ? fault.message : vscode.l10n.t("Can't reach Bascule. Nothing was done.");
      await tell("warning", text);
    }
  }

  private isOpen({ ask }: WaitingAsk): boolean {
    return this.daemon.asks.some((one) => one.ask.id === ask.id);
  }
}

function isRun({ subject }: WaitingAsk["ask"]): boolean {
  return subject.about === "command";
}

function makeWords(): Words {
  return {
    requestedBy: (user, via) =>
      via
        ? vscode.l10n.t("Requested remotely by {0} via {1}", user, via)
        : vscode.l10n.t("Requested remotely by {0}", user),
    folder: (path) => vscode.l10n.t("in {0}", path),
    plan: (hash) => vscode.l10n.t("Your yes is bound to the plan {0}.", hash),
  };
}
