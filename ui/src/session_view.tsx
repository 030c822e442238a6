// One session: what it asks, its log, the input and the status. The bulk of the page, loaded after the list.
import { Show } from "solid-js";
import { Asks } from "./asks/asks";
import { Grants } from "./asks/grants/grants";
import { Composer } from "./composer/composer";
import { focusComposer } from "./composer/input/focus";
import { makeUnderway } from "./composer/sending/underway";
import { LookNote } from "./frame/dialogs/looking_only";
import { StatusLine } from "./frame/status/statusline";
import { SessionHeader } from "./header/session_header";
import type { Board } from "./home/board/board";
import { ElsewhereBar } from "./home/theirs/elsewhere_bar";
import { Log } from "./log/log";
import { mayAct } from "./state/access";
import type { Mirror, Room } from "./state/room";
import { isViewed } from "./state/sessions/viewed";

export type SessionView = ReturnType<typeof makeSessionView>;

export function makeSessionView(room: Room, board: Board) {
  const underway = makeUnderway(room);
  return (props: { mirror: Mirror; onResume: () => void }) => (
    <>
      <SessionHeader mirror={props.mirror} />
      <Log mirror={props.mirror} sent={underway.sending.latest()} />
      <Show when={!isViewed(props.mirror.id)}>
        <Asks mirror={props.mirror} onEmptied={focusComposer} />
        <Grants mirror={props.mirror} />
      </Show>
      <ElsewhereBar mirror={props.mirror} board={board} />
      <Show when={mayAct(room.access())} fallback={<LookNote />}>
        <Show when={!isViewed(props.mirror.id)}>
          <Composer mirror={props.mirror} underway={underway} onResume={props.onResume} />
        </Show>
      </Show>
      <StatusLine mirror={props.mirror} />
    </>
  );
}
