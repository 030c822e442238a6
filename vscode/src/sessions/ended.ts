// A notice for each session of this window that ended while nobody looked at it.
import * as vscode from "vscode";
import { findReason, type Reason } from "../../../ui/src/frame/attention/card_events";
import type { Card } from "../../../ui/src/model.gen";
import type { Daemon } from "../daemon/daemon";
import { folders } from "../folders";
import { mayNotify, offer } from "../messages";
import { sayTitle } from "./session_words";

export interface Looks {
  /// Whether somebody looks at that session in this window.
  isLookedAt(session: string): boolean;
  show(session: string): Promise<void>;
}

export function tellEnded(daemon: Daemon, looks: Looks): vscode.Disposable {
  const seen = new Map<string, Card>();
  return daemon.onCards((cards) => {
    for (const card of cards) {
      const reason = findReason(seen.get(card.session_id), card);
      if (card.deleted) seen.delete(card.session_id);
      else seen.set(card.session_id, card);
      if (!reason || reason === "needsYou") continue; // a question has a notification of its own
      if (folders().includes(card.workspace) && !looks.isLookedAt(card.session_id))
        void tell(card, reason, looks);
    }
  });
}

async function tell(card: Card, reason: Exclude<Reason, "needsYou">, looks: Looks): Promise<void> {
  if (!mayNotify()) return;
  const title = sayTitle(card);
  const open = vscode.l10n.t("Open");
  const [level, text] =
    reason === "finished"
      ? (["info", vscode.l10n.t("{0} is done.", title)] as const)
      : (["warning", vscode.l10n.t("{0} failed.", title)] as const);
  if ((await offer(level, text, open)) === open) await looks.show(card.session_id);
}
