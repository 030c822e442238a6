// Where a session of another program lives: the pane that it runs in, or its live view.
import type { WatchedSession } from "../../model.gen";
import { wishPane } from "../../panes/dock/dock_state";
import type { Room } from "../../state/room";
import { viewId } from "../../state/sessions/viewed";

export function openTheirs(room: Pick<Room, "access" | "activate">, session: WatchedSession): void {
  const isPane = session.pane && room.access()?.may?.includes("type");
  if (isPane && session.pane) wishPane({ kind: "show", pane: session.pane });
  else room.activate(viewId(session.key));
}
