// A session that Bascule did not start: as a card while it works or waits, as a line when it rests.
import { type Accessor, type JSX, Show } from "solid-js";
import { createClock } from "../../frame/clock";
import { baseName } from "../../frame/names";
import { sayAgent } from "../../frame/session/agent_name";
import { StatusDot } from "../../frame/session/status_dot";
import { fullTime, relativeTime, sayClock, slowNow } from "../../frame/time";
import { language } from "../../i18n/texts";
import type { WatchedSession } from "../../model.gen";
import { shownPath } from "../../text/paths";
import { visible } from "../../text/visible";
import { t } from "../board/board_texts";
import { dotOf } from "../entries";

export interface TheirsProps {
  session: WatchedSession;
  isPinned: boolean;
  onOpen: (key: string) => void;
}

export function TheirCard(props: TheirsProps): JSX.Element {
  const waits = () => dotOf(props.session) === "waiting_user";
  return (
    <div class="home-card" classList={{ "home-card-waiting": waits() }}>
      <div class="home-head">
        <TheirDot session={props.session} />
        <button type="button" class="plain home-title" onClick={() => props.onOpen(props.session.key)}>
          {sayTitle(props.session)}
        </button>
        <Tags {...props} />
        <span class="home-where" title={shownPath(props.session.cwd ?? "")}>
          <bdi>{visible(baseName(props.session.cwd ?? "")) || t("noFolder")}</bdi>
          <Branch session={props.session} />
          {" · "}
          <Show when={waits()} fallback={<RunningTime sinceMs={props.session.since_ms} />}>
            <time title={sayFull(props.session.since_ms)}>{sayAge(props.session.since_ms)}</time>
          </Show>
        </span>
      </div>
      <div class="home-sub">
        <span class="home-doing">{sayDoing(props.session) || t(waits() ? "asks" : "works")}</span>
      </div>
    </div>
  );
}

export function TheirLine(props: TheirsProps): JSX.Element {
  return (
    <li>
      <button type="button" class="plain home-line" onClick={() => props.onOpen(props.session.key)}>
        <TheirDot session={props.session} />
        <span class="home-line-title">{sayTitle(props.session)}</span>
        <Tags {...props} />
        <span class="home-where">
          <Show when={props.session.branch}>
            {(branch) => <bdi class="home-branch">{`${visible(branch())} · `}</bdi>}
          </Show>
          <time title={sayFull(restedAt(props.session))}>{sayRest(props.session)}</time>
        </span>
      </button>
    </li>
  );
}

function TheirDot(props: { session: WatchedSession }): JSX.Element {
  const status = () => dotOf(props.session);
  return (
    <StatusDot
      status={status()}
      mark={needsMark(props.session)}
      hint={status() === "unknown" ? undefined : sayEvidence(props.session)}
    />
  );
}

function Tags(props: TheirsProps): JSX.Element {
  return (
    <>
      <span class="home-tag">{visible(sayAgent(props.session.agent))}</span>
      <Show when={props.isPinned}>
        <span class="home-tag">{t("pinned")}</span>
      </Show>
    </>
  );
}

function Branch(props: { session: WatchedSession }): JSX.Element {
  return (
    <Show when={props.session.branch}>
      {(branch) => (
        <>
          {" · "}
          <bdi class="home-branch">{visible(branch())}</bdi>
        </>
      )}
    </Show>
  );
}

function RunningTime(props: { sinceMs: number | undefined }): JSX.Element {
  const now: Accessor<number> = createClock();
  return <time title={sayFull(props.sinceMs)}>{sayClock(props.sinceMs, now())}</time>;
}

/// Seed 003: in a pane, where its output stands still while it works, or where input is certainly needed.
export function needsMark(session: WatchedSession): boolean {
  return Boolean(session.pane) && (session.is_still === true || session.status === "waiting_user");
}

export function sayTitle(session: WatchedSession): string {
  return visible(session.title || session.their_id);
}

/// What each source says in few words of its own, in a language that is not the page's.
const SAID: Record<string, Record<string, Parameters<typeof t>[0]>> = {
  waiting_user: {
    "an approval": "waitsForApproval",
    "permission prompt": "waitsForApproval",
    "worker request": "waitsForApproval",
    "an answer to a question": "waitsForAnswer",
    "input needed": "waitsForInput",
    "dialog open": "hasDialog",
    "sandbox request": "waitsForNetwork",
    "goal proposal": "proposesGoal",
  },
  working: { "a background command": "inBackground" },
};

export function sayDoing(session: WatchedSession): string {
  const doing = session.doing ?? "";
  const known = SAID[dotOf(session)]?.[doing];
  return known ? t(known) : visible(doing);
}

/// "Claude's registry: busy, 2 min. ago".
export function sayEvidence(session: WatchedSession): string {
  return t("evidence", {
    source: t(`source_${session.source}`),
    evidence: visible(session.evidence ?? ""),
    age: sayAge(session.heard_at_ms),
  });
}

function sayRest(session: WatchedSession): string {
  const age = sayAge(restedAt(session));
  const status = dotOf(session);
  if (status === "completed") return age;
  return t(status === "stopped" ? "ended" : "lastActivity", { age });
}

/// What is not known has no beginning either.
function restedAt(session: WatchedSession): number | undefined {
  return dotOf(session) === "unknown" ? session.activity_at_ms : session.since_ms;
}

export function sayAge(atMs: number | undefined): string {
  return atMs ? relativeTime(atMs, slowNow(), language()) : "";
}

function sayFull(atMs: number | undefined): string | undefined {
  return atMs ? fullTime(atMs, language()) : undefined;
}
