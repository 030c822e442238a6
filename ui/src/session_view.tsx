// One session: what it asks, its log, the input and the status. The bulk of the page, loaded after the list.
import { Asks } from "./asks/asks";
import { Composer } from "./composer/composer";
import { focusComposer } from "./composer/focus";
import { StatusLine } from "./frame/statusline";
import { Log } from "./log/log";
import type { Mirror } from "./state/room";

export function SessionView(props: { mirror: Mirror; onResume: () => void }) {
  return (
    <>
      <Asks mirror={props.mirror} onEmptied={focusComposer} />
      <Log mirror={props.mirror} />
      <Composer mirror={props.mirror} onResume={props.onResume} />
      <StatusLine mirror={props.mirror} />
    </>
  );
}
