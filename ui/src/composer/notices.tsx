// Above the input: who else drives the session, an agent that is silent, and prompts without an answer.
import { createEffect, createSignal, For, onCleanup, Show } from "solid-js";
import { type Mirror, useRoom } from "../state/room";
import { visible } from "../text/visible";
import { giveBack, type Sending, type Unsent } from "./sending/sending";
import { isPrompt } from "./suggestions/slash";
import { t } from "./texts";

const TICK_MS = 1_000;

/// "page (40c1)" is a page: which one says nothing to a person.
function kindOf(surface: string): string {
  return surface.replace(/ \([^()]{1,8}\)$/, "");
}

/// At rest the driver's name only says who spoke last, so nothing is said of it.
export function Driver(props: { mirror: Mirror; busy: boolean }) {
  const room = useRoom();
  const other = () => {
    const driver = props.mirror.head().driver ?? "";
    return props.busy && driver !== room.surface() ? driver : "";
  };
  return (
    <Show when={other()}>
      <p class="composer-notice" role="status">
        <span>{t("otherDrives", { who: visible(kindOf(other())) })}</span>
        <button
          type="button"
          onClick={() => void room.attempt("session.drive", { session_id: props.mirror.id })}
        >
          {t("takeOver")}
        </button>
      </p>
    </Show>
  );
}

/// The agent has not answered: how long, and a way to start it again. Nothing ends by itself.
export function Silent(props: { mirror: Mirror }) {
  const room = useRoom();
  const since = () => room.agent(props.mirror.head())?.silent_since_ms ?? undefined;
  const [nowMs, setNowMs] = createSignal(Date.now());
  const [isAsked, setIsAsked] = createSignal(false);
  createEffect(() => {
    if (since() === undefined) return;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    onCleanup(() => clearInterval(timer));
  });
  const seconds = () => Math.max(0, Math.round((nowMs() - (since() ?? 0)) / 1000));
  const restart = async () => {
    setIsAsked(true);
    await room.attempt("agent.restart", { session_id: props.mirror.id });
    setIsAsked(false);
  };
  return (
    <Show when={since() !== undefined}>
      <p class="composer-notice">
        <span role="status">{t("silent")}</span>
        <span aria-hidden="true">{t("seconds", { n: seconds() })}</span>
        <button type="button" disabled={isAsked()} title={t("restartTitle")} onClick={restart}>
          {t("restart")}
        </button>
      </p>
    </Show>
  );
}

export function NotSent(props: { session: string; sending: Sending }) {
  return (
    <For each={props.sending.unsent(props.session)}>
      {(one) => <NotSentOne one={one} sending={props.sending} />}
    </For>
  );
}

function NotSentOne(props: { one: Unsent; sending: Sending }) {
  const room = useRoom();
  const isOpen = () => room.connection().state === "open";
  const takeBack = () => {
    const taken = props.sending.take(props.one.key);
    if (taken) giveBack(room, taken);
  };
  const isEmptyDraft = () => room.draft(props.one.session).text === "";
  return (
    <div class="composer-notice composer-unsent" role="status">
      <span class="composer-unsent-text">
        <strong>{t(isPrompt(props.one.text) ? "unsentPrompt" : "unsentCommand")}</strong>{" "}
        {visible(props.one.text)}
      </span>
      <button type="button" disabled={!isOpen()} onClick={() => void props.sending.again(props.one.key)}>
        {t("sendAgain")}
      </button>
      <button type="button" disabled={!isEmptyDraft()} onClick={takeBack}>
        {t("edit")}
      </button>
      <button type="button" onClick={() => props.sending.take(props.one.key)}>
        {t("discard")}
      </button>
    </div>
  );
}
