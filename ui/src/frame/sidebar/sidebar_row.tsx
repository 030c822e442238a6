// One row of the sidebar: a heading, or a session with its dot, its time, who waits and what was found in it.
import { Show } from "solid-js";
import { language } from "../../i18n/texts";
import { Icon } from "../../icons/icon";
import type { Card, FoundText } from "../../model.gen";
import { useRoom } from "../../state/room";
import { shownPath } from "../../text/paths";
import { shorten, visible } from "../../text/visible";
import { Marked } from "../marked";
import type { Point } from "../menus/menu";
import { menuOpeners } from "../menus/menu_openers";
import { baseName } from "../names";
import { sinceMs } from "../session/age";
import { SessionName } from "../session/session_name";
import { StatusDot } from "../session/status_dot";
import { t } from "../session_texts";
import { fullTime, relativeTime, slowNow } from "../time";
import type { SidebarGroup } from "./sidebar_rows";

export function GroupRow(props: { row: SidebarGroup }) {
  const room = useRoom();
  const git = () => (props.row.folder ? room.git(props.row.folder) : undefined);
  const about = () => {
    const status = git();
    if (!status) return "";
    const changed = status.changed ? t("changed", { n: status.changed }) : "";
    return [visible(status.branch ?? ""), changed].filter(Boolean).join(" · ");
  };
  const name = () => {
    if (props.row.kind !== "folder") return t(props.row.kind);
    return visible(baseName(props.row.folder) || props.row.folder) || t("elsewhere");
  };
  return (
    <div
      class="frame-folder"
      role="presentation"
      title={props.row.folder ? shownPath(props.row.folder) : undefined}
    >
      <span>{name()}</span>
      <span class="frame-folder-count">{about() || props.row.count}</span>
    </div>
  );
}

const MAX_WORDS = 80; // characters of a draft

export interface SessionRowProps {
  card: Card;
  id: string;
  place: number;
  size: number;
  chosen: boolean;
  current: boolean;
  showsAgent: boolean; // there are several
  hit: FoundText | undefined; // where the words of a search were said
  words: readonly string[];
  onChoose: () => void;
  onMenu: (at: Point) => void;
}

export function SessionRow(props: SessionRowProps) {
  const agent = () => props.card.agent ?? "codex";
  const room = useRoom();
  const draft = () => (props.card.draft ? room.draft(props.card.session_id).text.trim() : "");
  const atMs = () => sinceMs(room, props.card);
  const { onKeyDown: _, ...openers } = menuOpeners((at) => props.onMenu(at)); // keys are the list's
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the focus and the keys
    // biome-ignore lint/a11y/useFocusableInteractive: it is pointed at by aria-activedescendant
    <div
      id={props.id}
      role="option"
      class="frame-row"
      classList={{
        "frame-row-chosen": props.chosen,
        "frame-row-current": props.current,
      }}
      aria-selected={props.chosen}
      aria-posinset={props.place}
      aria-setsize={props.size}
      title={`${visible(props.card.title)}\n${shownPath(props.card.workspace)}\n${visible(agent())}`}
      onClick={() => props.onChoose()}
      {...openers}
    >
      <StatusDot status={props.card.status} outcome={props.card.outcome} />
      <span class="frame-row-title">
        <SessionName name={visible(room.name(props.card))} />
      </span>
      <Show when={draft()}>
        {(words) => (
          <span class="frame-row-draft">{t("draft", { words: shorten(visible(words()), MAX_WORDS) })}</span>
        )}
      </Show>
      <Show when={props.showsAgent}>
        <span class="frame-row-note">{visible(agent())}</span>
      </Show>
      <Show when={(props.card.queued ?? 0) > 0}>
        <span class="frame-row-note">{t("queued", { n: props.card.queued ?? 0 })}</span>
      </Show>
      <Show when={(props.card.asks ?? 0) > 0}>
        <span class="frame-count" title={t("asks", { n: props.card.asks ?? 0 })}>
          <span aria-hidden="true">{props.card.asks}</span>
          <span class="unseen">{t("asks", { n: props.card.asks ?? 0 })}</span>
        </span>
      </Show>
      <Show when={atMs() > 0}>
        <time class="frame-row-time" title={fullTime(atMs(), language())}>
          {relativeTime(atMs(), slowNow(), language())}
        </time>
      </Show>
      <span
        class="frame-row-more"
        aria-hidden="true"
        title={t("rowMenu")}
        onClick={(event) => {
          event.stopPropagation();
          const box = event.currentTarget.getBoundingClientRect();
          props.onMenu({ x: box.left, y: box.bottom + 2 });
        }}
      >
        <Icon name="more" />
      </span>
      <Show when={props.hit}>
        {(hit) => (
          <span class="frame-row-hit">
            <Marked text={hit().text} words={props.words} />
          </span>
        )}
      </Show>
    </div>
  );
}
