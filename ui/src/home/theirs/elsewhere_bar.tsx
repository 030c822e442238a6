// Below the log of a session that another program has open: what that means, and to join, leave, fork or try again.
import { createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { agentOf, sayAgent } from "../../frame/session/agent_name";
import type { Status } from "../../frame/session/shown_status";
import { mayManage } from "../../state/access";
import { type Mirror, useRoom } from "../../state/room";
import { isViewed, viewId } from "../../state/sessions/viewed";
import { visible } from "../../text/visible";
import type { Board } from "../board/board";
import "./elsewhere.css";
import { makeMarks } from "../board/marks";
import { t } from "./elsewhere_texts";
import { TheirPanel } from "./their_panel";

export function ElsewhereBar(props: { mirror: Mirror; board: Board }): JSX.Element {
  const room = useRoom();
  const [isBusy, setBusy] = createSignal(false);
  const head = () => props.mirror.head();
  const there = () => head().elsewhere ?? undefined;
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work();
    setBusy(false);
  };
  const key = () => there()?.key ?? "";
  const join = async () => {
    const joined = await room.attempt("board.join", { key: key() });
    if (joined) room.activate(joined.session_id);
  };
  const leave = async () => {
    const { is_guest: isGuest, key } = there() ?? { key: "" };
    const left = await room.attempt("board.leave", { session_id: props.mirror.id });
    if (left && isGuest) room.activate(viewId(key));
  };
  const fork = async () => {
    const forked = await room.attempt("board.fork", { key: key() });
    if (forked) room.activate(forked.session_id);
  };
  const tryAgain = () => room.attempt("session.open", { session_id: props.mirror.id });
  const mayJoin = () => mayManage(room.access());
  const canJoin = () => Boolean(there()?.home) && !there()?.joined && mayJoin();
  const canFork = () => mayJoin() && agentOf(head()) === "codex" && !there()?.joined;
  return (
    <Show when={there()}>
      {(now) => (
        <section class="elsewhere" aria-label={t("label")}>
          <p role="status">
            <Switch fallback={t("held", { who: visible(now().holder ?? "") || t("another") })}>
              <Match when={now().joined}>{t("joined")}</Match>
              <Match when={isViewed(props.mirror.id)}>
                {t(whatIsSeen(head().status), { agent: visible(sayAgent(head().agent)) })}{" "}
                <Show when={head().status === "waiting_user"}>{t(canJoin() ? "asksHere" : "asksThere")}</Show>
              </Match>
            </Switch>
          </p>
          <Show when={canJoin()}>
            <button
              type="button"
              class="primary"
              title={t("joinTitle")}
              disabled={isBusy()}
              onClick={() => act(join)}
            >
              {t("join")}
            </button>
          </Show>
          <Show when={canFork()}>
            <button type="button" title={t("forkTitle")} disabled={isBusy()} onClick={() => act(fork)}>
              {t("fork")}
            </button>
          </Show>
          <Show when={now().joined && mayJoin()}>
            <button type="button" title={t("leaveTitle")} disabled={isBusy()} onClick={() => act(leave)}>
              {t("leave")}
            </button>
          </Show>
          <Show when={!now().joined && !isViewed(props.mirror.id)}>
            <button type="button" disabled={isBusy()} onClick={() => act(tryAgain)}>
              {t("tryAgain")}
            </button>
          </Show>
          <Show when={isViewed(props.mirror.id)}>
            <Details board={props.board} key={now().key} />
          </Show>
        </section>
      )}
    </Show>
  );
}

/// Of a session whose file alone is known, nothing says that it runs.
function whatIsSeen(status: Status | undefined): "watching" | "ended" | "unsaid" {
  if (status === "stopped") return "ended";
  return (status ?? "unknown") === "unknown" ? "unsaid" : "watching";
}

/// What is known of it, and how to continue it in a terminal.
function Details(props: { board: Board; key: string }): JSX.Element {
  const room = useRoom();
  const marks = makeMarks(room);
  const [isOpen, setOpen] = createSignal(false);
  const close = () => {
    setOpen(false);
    if (marks.hidden().has(props.key)) room.activate("");
  };
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t("details")}
      </button>
      <Show when={isOpen() && props.board.find(props.key)}>
        {(session) => <TheirPanel session={session()} marks={marks} onClose={close} />}
      </Show>
    </>
  );
}
