// Attention: which sessions are waiting or done, shown by the tab and, in the background, by system notifications.
import { createEffect, createMemo, on } from "solid-js";
import type { Card } from "../../model.gen";
import { MACHINE, type Room } from "../../state/room";
import { shownSession } from "../../state/sessions/viewed";
import { shorten, visible } from "../../text/visible";
import { baseName } from "../names";
import { t } from "../texts";
import { type Event, findEvents, isWaiting } from "./card_events";

export const NOTIFICATIONS = "notifications"; // the wish; "off" is a no
export const APP = "Bascule";
const MAX_NAME = 60; // characters

export function countWaiting(cards: readonly Card[]): number {
  return cards.filter(isWaiting).length;
}

/// A session's name first: of a tab little more can be read.
export function makeTitle(workspace: string, session = ""): string {
  const project = visible(baseName(workspace));
  if (session) return [shorten(visible(session), MAX_NAME), project, APP].filter(Boolean).join(" – ");
  return project ? `${APP} – ${project}` : APP;
}

/// To be called once, inside of the page's root.
export function watchAttention(room: Room): void {
  const all = createMemo(() => [
    ...room.cards(),
    ...[room.card(MACHINE)].filter((card) => card !== undefined),
  ]);
  const waiting = createMemo(() => countWaiting(all()));
  const workspace = () => shownSession(room)?.workspace ?? room.workspace();
  const name = () => shownSession(room)?.name ?? "";
  createEffect(() => room.host.setTitle(makeTitle(workspace(), name()), waiting()));

  let seen: ReadonlyMap<string, Card> | undefined;
  createEffect(
    on(all, (cards) => {
      const before = seen;
      if (before === undefined && cards.length === 0) return; // the first list is not there yet
      seen = new Map(cards.map((card) => [card.session_id, card]));
      if (before) for (const event of findEvents(before, cards)) tell(room, event);
    }),
  );
}

/// The person has allowed it, and not turned it off.
export function notifies(room: Room): boolean {
  return room.host.mayNotify() === "granted" && room.wish(NOTIFICATIONS) !== "off";
}

export function tell(room: Room, event: Event, onClick?: () => void): void {
  if (room.host.isLookedAt() || !notifies(room)) return;
  const { session_id: session, title, workspace } = event.card;
  room.host.notify({
    title: t(event.reason, { title: visible(title) || APP }),
    body: visible(baseName(workspace) || workspace),
    tag: `bascule:${session}`,
    onClick: onClick ?? (() => session !== MACHINE && room.activate(session)),
  });
}
