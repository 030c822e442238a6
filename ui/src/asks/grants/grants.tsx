// What the agent may do here without asking again: how long, and a way to revoke it where there is one.
import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from "solid-js";
import { PanelButton } from "../../frame/menus/panel_button";
import { Icon } from "../../icons/icon";
import type { Grant } from "../../model.gen";
import { mayAct } from "../../state/access";
import { type Mirror, type Room, useRoom } from "../../state/room";
import { shownPath } from "../../text/paths";
import { spelt } from "../../text/spelt";
import { t } from "./grant_texts";
import "./grants.css";

export function Grants(props: { mirror: Mirror }): JSX.Element {
  const room = useRoom();
  const { grants, look } = createGrants(room, props);
  return (
    <Show when={grants().length > 0}>
      <div class="asks-grants">
        <PanelButton
          opens="up"
          class="plain small"
          name={t("granted", { n: grants().length })}
          label={
            <>
              <Icon name="check" /> {t("granted", { n: grants().length })}
            </>
          }
        >
          {() => (
            <>
              <h3>{t("title")}</h3>
              <ul>
                <For each={grants()}>
                  {(grant) => <OneGrant session={props.mirror.id} grant={grant} onRevoked={look} />}
                </For>
              </ul>
            </>
          )}
        </PanelButton>
      </div>
    </Show>
  );
}

/// Asked for again whenever an answer or the end of an agent may have changed it.
function createGrants(room: Room, props: { readonly mirror: Mirror }) {
  const [grants, setGrants] = createSignal<readonly Grant[]>([]);
  const moment = createMemo(() => {
    const head = props.mirror.head();
    return `${head.id} ${head.asks?.length ?? 0} ${head.runs?.length ?? 0} ${head.status ?? ""}`;
  });
  const look = async () => {
    const session = props.mirror.id;
    const listed = await room.call("grants.list", { session_id: session }).catch(() => undefined);
    if (listed && props.mirror.id === session) setGrants(listed.grants);
  };
  createEffect(on(moment, () => void look()));
  return { grants, look };
}

interface OneGrantProps {
  session: string;
  grant: Grant;
  onRevoked: () => Promise<void>;
}

function OneGrant(props: OneGrantProps): JSX.Element {
  const room = useRoom();
  const [isBusy, setBusy] = createSignal(false);
  const revoke = async () => {
    setBusy(true);
    const done = await room.attempt("grants.revoke", {
      session_id: props.session,
      grant_id: props.grant.id,
    });
    if (done) room.toast("info", t("revoked"));
    await props.onRevoked();
    setBusy(false);
  };
  return (
    <li>
      <code>{spelt(props.grant.asked)}</code>
      <Show when={props.grant.lasts === "always" && props.grant.rule}>
        {(rule) => <p class="asks-rule">{spelt(rule())}</p>}
      </Show>
      <p class="asks-dim">{t(props.grant.revocable ? "untilEnd" : "always")}</p>
      <Show when={props.grant.revocable && mayAct(room.access())} fallback={<Kept grant={props.grant} />}>
        <button type="button" class="small" disabled={isBusy()} onClick={() => void revoke()}>
          {t("revoke")}
        </button>
      </Show>
    </li>
  );
}

function Kept(props: { grant: Grant }): JSX.Element {
  return (
    <Show when={!props.grant.revocable}>
      <p class="asks-dim">{t("theirs", { file: shownPath(props.grant.kept_in ?? "") })}</p>
    </Show>
  );
}
