// A session in a word or two and an icon, for the lists and the picker.
import * as vscode from "vscode";
import { isWaiting } from "../../../ui/src/frame/attention/card_events";
import type { Card } from "../../../ui/src/model.gen";
import { plainTitle } from "../words";

type Shown = Omit<Card, "session_id" | "title" | "workspace">;

export function sayTitle({ title }: Pick<Card, "title">): string {
  return plainTitle(title) || vscode.l10n.t("New session");
}

export function describe(card: Shown): string {
  if (isWaiting(card)) return vscode.l10n.t("waiting for you");
  if (card.status === "working") return vscode.l10n.t("working");
  if (card.outcome === "failed") return vscode.l10n.t("failed");
  if (card.outcome === "interrupted") return vscode.l10n.t("interrupted");
  return card.files
    ? vscode.l10n.t("{0} files, +{1} −{2}", card.files, card.additions ?? 0, card.deletions ?? 0)
    : "";
}

export function iconOf(card: Pick<Card, "status" | "outcome" | "asks">): vscode.ThemeIcon {
  const icon = (name: string, colour?: string) =>
    new vscode.ThemeIcon(name, colour ? new vscode.ThemeColor(colour) : undefined);
  if (isWaiting(card)) return icon("bell-dot", "charts.yellow");
  if (card.status === "working") return icon("sync~spin", "charts.green");
  if (card.outcome === "failed") return icon("error", "charts.red");
  if (card.outcome === "interrupted") return icon("circle-slash");
  if (card.status === "completed") return icon("pass", "charts.blue");
  return icon(card.status === "stopped" ? "circle-slash" : "circle-outline");
}
