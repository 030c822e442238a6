// Sessions of other programs that start to wait or end: a notification in the background, a message in the page.
import { createEffect, on } from "solid-js";
import { notifies, tell } from "../../frame/attention/attention";
import { findEvents, type Reason } from "../../frame/attention/card_events";
import { t as tFrame } from "../../frame/texts";
import type { Card, WatchedSession } from "../../model.gen";
import type { Room } from "../../state/room";
import { isViewed, viewId } from "../../state/sessions/viewed";
import { visible } from "../../text/visible";
import type { Board } from "../board/board";
import { t } from "../board/board_texts";
import { dotOf } from "../entries";
import { openTheirs } from "./open_theirs";

/// Home and the live views show it; notifications need it all the time.
export function needsBoard(room: Room): boolean {
  return !room.active() || isViewed(room.active()) || notifies(room);
}

/// Those that are driven here are cards already.
export function asCards(sessions: readonly WatchedSession[]): Card[] {
  return sessions
    .filter((one) => !one.session_id)
    .map((one) => ({
      session_id: viewId(one.key),
      title: one.title || one.their_id,
      workspace: one.cwd ?? "",
      status: dotOf(one),
      agent: one.agent,
    }));
}

/// To be called once, inside of the page's root.
export function watchTheirs(room: Room, board: Board): void {
  let seen: ReadonlyMap<string, Card> | undefined;
  createEffect(
    on([board.sessions, board.isWhole], ([sessions, isWhole]) => {
      const before = seen;
      const cards = asCards(sessions);
      seen = isWhole ? new Map(cards.map((card) => [card.session_id, card])) : undefined;
      if (!before || !isWhole) return;
      for (const { card, reason } of findEvents(before, cards)) {
        const session = sessions.find((one) => viewId(one.key) === card.session_id);
        // Of a program that somebody closed, nothing says that it failed.
        if (session) say(room, session, card, reason === "failedNow" ? "endedNow" : reason);
      }
    }),
  );
}

function say(room: Room, session: WatchedSession, card: Card, reason: Reason): void {
  const open = () => openTheirs(room, session);
  if (!room.host.isLookedAt()) return tell(room, { card, reason }, open);
  if (!room.active() || room.active() === card.session_id || !notifies(room)) return; // it is in sight
  const title = visible(card.title);
  room.toast("info", tFrame(reason, { title }), { label: t("open"), act: open });
}
