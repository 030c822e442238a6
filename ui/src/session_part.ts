// The part of the page that shows a session: asked for with the first list, and again should it not have come.
import { type Accessor, createEffect, createSignal, getOwner, on, runWithOwner } from "solid-js";
import { t } from "./app_texts";
import type { Board } from "./home/board/board";
import type { SessionView } from "./session_view";
import type { Room } from "./state/room";

export function loadSessionView(room: Room, board: Board): Accessor<SessionView | undefined> {
  const [view, setView] = createSignal<SessionView>();
  const owner = getOwner(); // of what goes on while other tabs are shown
  let isLoading = false;
  const load = async () => {
    isLoading = true;
    await painted(); // the list comes first
    try {
      const { makeSessionView } = await import("./session_view");
      setView(() => runWithOwner(owner, () => makeSessionView(room, board)));
    } catch (fault) {
      room.toast("error", t("overlayFailed", { why: (fault as Error).message }));
    }
    isLoading = false;
  };
  createEffect(
    on([room.cards, room.active], ([cards, active]) => {
      if ((cards.length > 0 || active) && !view() && !isLoading) void load();
    }),
  );
  return view;
}

/// After two frames, or at once in the background: a hidden page gets no frames.
export function painted(): Promise<void> {
  if (document.visibilityState !== "visible") return Promise.resolve();
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
}
