// The recent sessions of one project, one line each.
import { type JSX, Show } from "solid-js";
import { baseName } from "../frame/names";
import { StatusDot } from "../frame/session/status_dot";
import { fullTime, relativeTime, slowNow } from "../frame/time";
import { language } from "../i18n/texts";
import type { Card, WatchedSession } from "../model.gen";
import { useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { visible } from "../text/visible";
import type { Project } from "./entries";
import { ByKeys, Either } from "./section";
import { t } from "./texts";

export interface RecentProps {
  project: Project;
  theirs: (session: () => WatchedSession) => JSX.Element;
  onAll: () => void;
}

export function Recent(props: RecentProps): JSX.Element {
  return (
    <>
      <h3 title={shownPath(props.project.folder)}>
        {visible(baseName(props.project.folder)) || t("noFolder")}{" "}
        <span class="home-count">{props.project.count}</span>
      </h3>
      <ul class="home-recent">
        <ByKeys entries={props.project.entries}>
          {(entry) => (
            <Either entry={entry()} ours={(card) => <Line card={card()} />} theirs={props.theirs} />
          )}
        </ByKeys>
      </ul>
      <Show when={props.project.count > props.project.entries.length}>
        <button type="button" class="plain small" onClick={() => props.onAll()}>
          {t("all", { count: props.project.count })}
        </button>
      </Show>
    </>
  );
}

function Line(props: { card: Card }): JSX.Element {
  const room = useRoom();
  const atMs = () => props.card.updated_at_ms ?? 0;
  return (
    <li>
      <button type="button" class="plain home-line" onClick={() => room.activate(props.card.session_id)}>
        <StatusDot status={props.card.status} outcome={props.card.outcome} />
        <span class="home-line-title">{visible(room.name(props.card))}</span>
        <time class="home-where" title={fullTime(atMs(), language())}>
          {relativeTime(atMs(), slowNow(), language())}
        </time>
      </button>
    </li>
  );
}
