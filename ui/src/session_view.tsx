// One session: what it asks, its log, the input and the status. The bulk of the page, loaded after the list.
import { Show } from "solid-js";
import { Asks } from "./asks/asks";
import { Grants } from "./asks/grants";
import { Composer } from "./composer/composer";
import { focusComposer } from "./composer/focus";
import { makeUnderway } from "./composer/underway";
import { LookNote } from "./frame/looking_only";
import { StatusLine } from "./frame/statusline";
import { SessionHeader } from "./header/session_header";
import { Log } from "./log/log";
import { mayAct } from "./state/access";
import type { Mirror, Room } from "./state/room";

export type SessionView = ReturnType<typeof makeSessionView>;

export function makeSessionView(room: Room) {
  const underway = makeUnderway(room);
  return (props: { mirror: Mirror; onResume: () => void }) => (
    <>
      <SessionHeader mirror={props.mirror} />
      <Log mirror={props.mirror} />
      <Asks mirror={props.mirror} onEmptied={focusComposer} />
      <Grants mirror={props.mirror} />
      <Show when={mayAct(room.access())} fallback={<LookNote />}>
        <Composer mirror={props.mirror} underway={underway} onResume={props.onResume} />
      </Show>
      <StatusLine mirror={props.mirror} />
    </>
  );
}
