// The first line of a session on the home page: its state, its name that opens it, its agent, folder and time.
// What the machine itself asks is no session: nothing to open, and no agent.
import { type JSX, Show } from "solid-js";
import { baseName } from "../frame/names";
import { sayAgent } from "../frame/session/agent_name";
import { StatusDot } from "../frame/session/status_dot";
import type { Card } from "../model.gen";
import { MACHINE, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { visible } from "../text/visible";

export function CardHead(props: { card: Card; when: string; whenTitle?: string }): JSX.Element {
  const room = useRoom();
  return (
    <div class="home-head">
      <StatusDot status={props.card.status} outcome={props.card.outcome} />
      <Show
        when={props.card.session_id !== MACHINE}
        fallback={<span class="home-title">{visible(room.name(props.card))}</span>}
      >
        <button type="button" class="plain home-title" onClick={() => room.activate(props.card.session_id)}>
          {visible(room.name(props.card))}
        </button>
        <span class="home-tag">{visible(sayAgent(props.card.agent))}</span>
      </Show>
      <span class="home-where" title={shownPath(props.card.workspace)}>
        {visible(baseName(props.card.workspace))}
        <Show when={props.when}>
          {props.card.workspace && " · "}
          <time title={props.whenTitle}>{props.when}</time>
        </Show>
      </span>
    </div>
  );
}
