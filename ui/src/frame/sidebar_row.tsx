// One row of the sidebar: a folder's name, or a session with its dot, its time and who waits.
import { Show } from "solid-js";
import { language } from "../i18n/texts";
import type { Card } from "../model.gen";
import { shownPath } from "../text/paths";
import { visible } from "../text/visible";
import type { Point } from "./menu";
import { menuOpeners } from "./menu_openers";
import { baseName } from "./names";
import { t } from "./session_texts";
import type { Folder } from "./sidebar_rows";
import { StatusDot } from "./status_dot";
import { fullTime, relativeTime, slowNow } from "./time";

export function FolderRow(props: { row: Folder }) {
  return (
    <div class="frame-folder" role="presentation" title={shownPath(props.row.folder)}>
      <span>{visible(baseName(props.row.folder) || props.row.folder) || t("elsewhere")}</span>
      <span class="frame-folder-count">{props.row.count}</span>
    </div>
  );
}

export interface SessionRowProps {
  card: Card;
  id: string;
  place: number;
  size: number;
  chosen: boolean;
  current: boolean;
  showsAgent: boolean; // there are several
  onChoose: () => void;
  onMenu: (at: Point) => void;
}

export function SessionRow(props: SessionRowProps) {
  const agent = () => props.card.agent ?? "codex";
  const atMs = () => props.card.updated_at_ms ?? 0;
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
        "frame-row-hidden": props.card.hidden ?? false,
      }}
      aria-selected={props.chosen}
      aria-posinset={props.place}
      aria-setsize={props.size}
      title={`${visible(props.card.title)}\n${shownPath(props.card.workspace)}\n${visible(agent())}`}
      onClick={() => props.onChoose()}
      {...openers}
    >
      <StatusDot status={props.card.status} outcome={props.card.outcome} />
      <span class="frame-row-title">{visible(props.card.title) || props.card.session_id}</span>
      <Show when={props.showsAgent}>
        <span class="frame-row-note">{visible(agent())}</span>
      </Show>
      <Show when={props.card.hidden}>
        <span class="frame-row-note">{t("hidden")}</span>
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
    </div>
  );
}
