// A session's header: where it works, with what, what it may do, how full its context is, and for how long.
import { Show } from "solid-js";
import { sayAgent } from "../frame/session/agent_name";
import { Icon } from "../icons/icon";
import type { Elsewhere } from "../model.gen";
import { mayAct } from "../state/access";
import { type Mirror, useRoom } from "../state/room";
import { can } from "../state/sessions/capabilities";
import { visible } from "../text/visible";
import { FolderMenu } from "./folder_menu";
import { ModelMenu } from "./model_menu";
import { ContextUsed, Cost, Elapsed, Tokens } from "./numbers";
import { PermissionMenu } from "./permission_menu";
import { t } from "./texts";
import "./header.css";

export function SessionHeader(props: { mirror: Mirror }) {
  const room = useRoom();
  const head = () => props.mirror.head();
  const canChoose = () => mayAct(room.access()) && can(head(), "models");
  return (
    <section class="header" aria-label={t("header")}>
      <FolderMenu mirror={props.mirror} />
      <Show when={canChoose()} fallback={<AgentName agent={head().agent} model={head().model} />}>
        <ModelMenu mirror={props.mirror} />
      </Show>
      <Show when={mayAct(room.access()) && !head().elsewhere}>
        <PermissionMenu mirror={props.mirror} />
      </Show>
      <Show when={head().elsewhere?.joined && head().elsewhere}>
        {(there) => <TheirRights there={there()} />}
      </Show>
      <span class="header-gap" />
      <Elapsed runs={head().runs ?? []} />
      <Show when={head().usage}>
        {(usage) => (
          <>
            <Tokens usage={usage()} />
            <Cost usage={usage()} />
            <Show when={usage().context_used}>
              <ContextUsed usage={usage()} />
            </Show>
          </>
        )}
      </Show>
    </section>
  );
}

/// What the terminal of a joined session allows it, as far as the agent says. It is changed there.
function TheirRights(props: { there: Elsewhere }) {
  const parts = () => [
    props.there.sandbox && t(`their_${props.there.sandbox}`),
    props.there.approvals && t(`their_${props.there.approvals}`),
  ];
  const said = () => parts().filter(Boolean).join(", ");
  return (
    <Show when={said()}>
      <span class="header-part" title={t("theirTitle")}>
        <Icon name="shield" />
        <span class="unseen">{t("permissionName")}</span>
        <span class="header-word">{said()}</span>
      </span>
    </Show>
  );
}

function AgentName(props: { agent: string | undefined; model: string | undefined }) {
  return (
    <span class="header-part">
      <Icon name="model" />
      <span class="header-word">
        {visible([sayAgent(props.agent), props.model].filter(Boolean).join(" · "))}
      </span>
    </span>
  );
}
