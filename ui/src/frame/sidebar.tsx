// The sidebar: every session there is, ten thousand of them, to be searched and walked through.
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  on,
  onCleanup,
  onMount,
  Show,
} from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import { Icon } from "../icons/icon";
import { useRoom } from "../state/room";
import { menuOpeners } from "./menu_openers";
import { NotifyButton } from "./notify_button";
import { makeSessionMenu } from "./session_menu";
import { t } from "./session_texts";
import { isMac, showStroke } from "./shortcuts";
import { FolderRow, SessionRow } from "./sidebar_row";
import { countUp, isFolder, makeRows, type Row, stepRow } from "./sidebar_rows";
import "./sidebar.css";
import { t as common } from "./texts";

const PAGE = 10; // rows of PageUp and PageDown
const WALK: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  End: Number.MAX_SAFE_INTEGER,
};
export const SEARCH = "session-search"; // the id of the search field

interface SidebarProps {
  isDrawer: boolean;
  onChosen: () => void;
  onClose: () => void;
  /// Search everything, not only this list.
  onSearch: () => void;
}

export function Sidebar(props: SidebarProps) {
  const room = useRoom();
  const menu = makeSessionMenu();
  const [query, setQuery] = createSignal("");
  const rows = createMemo(() => makeRows(room.cards(), query()));
  let search!: HTMLInputElement;
  const before = document.activeElement;
  onMount(() => {
    if (props.isDrawer) search.focus();
  });
  // A drawer gives the focus back to who opened it, as a dialog does.
  onCleanup(() => queueMicrotask(() => isNowhere() && before instanceof HTMLElement && before.focus()));
  let side!: HTMLElement;
  const onSearchKey = (event: KeyboardEvent) => {
    const first = rows()[stepRow(rows(), -1, 1)];
    if (event.key === "ArrowDown") side.querySelector<HTMLElement>("[role=listbox]")?.focus();
    else if (event.key === "Enter" && !event.isComposing && first && !isFolder(first)) {
      room.activate(first.session_id);
      props.onChosen();
    } else return;
    event.preventDefault();
  };
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (query()) setQuery("");
    else if (props.isDrawer) props.onClose();
    else return;
    event.preventDefault();
  };
  return (
    <nav ref={side} class="frame-side" aria-label={t("sessions")} onKeyDown={onEscape}>
      <div class="frame-side-head">
        <h2>{t("sessions")}</h2>
        <span class="frame-side-count">{t("count", { n: room.cards().length })}</span>
        <button
          type="button"
          class="plain icon"
          aria-label={t("firstPage")}
          aria-current={room.active() ? undefined : "page"}
          title={t("firstPage")}
          onClick={() => {
            room.activate("");
            props.onChosen();
          }}
        >
          <Icon name="home" />
        </button>
        <Show when={props.isDrawer}>
          <button
            type="button"
            class="plain icon"
            aria-label={common("close")}
            title={common("close")}
            onClick={() => props.onClose()}
          >
            <Icon name="close" />
          </button>
        </Show>
      </div>
      <div class="frame-side-search">
        <label>
          <Icon name="search" />
          <span class="unseen">{t("search")}</span>
          <input
            ref={search}
            id={SEARCH}
            type="search"
            maxLength={200}
            placeholder={t("search")}
            value={query()}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={onSearchKey}
          />
        </label>
        <button
          type="button"
          class="plain frame-side-all"
          aria-keyshortcuts={isMac() ? "Meta+K" : "Control+K"}
          title={t("searchAll")}
          onClick={() => props.onSearch()}
        >
          <span class="unseen">{t("searchAll")}</span>
          <kbd>{showStroke("search", isMac())}</kbd>
          <span class="frame-side-short">{t("searchAllShort")}</span>
        </button>
      </div>
      <Show
        when={rows().length > 0}
        fallback={<p class="frame-side-none">{query() ? t("noneFound", { query: query() }) : t("none")}</p>}
      >
        <SessionList
          rows={rows()}
          onMenu={(session, at) => menu.open(session, at)}
          onRename={(session) => menu.rename(session)}
          onChosen={props.onChosen}
        />
      </Show>
      <NotifyButton />
      {menu.outlet()}
    </nav>
  );
}

function isNowhere(): boolean {
  return !document.activeElement || document.activeElement === document.body;
}

interface ListProps {
  rows: readonly Row[];
  onMenu: (session: string, at: { x: number; y: number }) => void;
  onRename: (session: string) => void;
  onChosen: () => void;
}

/// One stop for Tab; inside, the arrows move what is current, and Enter opens it.
function SessionList(props: ListProps) {
  const room = useRoom();
  const prefix = createUniqueId();
  const [current, setCurrent] = createSignal<string>(); // a session
  const [focused, setFocused] = createSignal(false);
  const counts = createMemo(() => countUp(props.rows));
  let list: VListHandle | undefined;

  const place = createMemo(() => {
    const find = (id: string | undefined) =>
      props.rows.findIndex((row) => !isFolder(row) && row.session_id === id);
    const known = find(current() ?? room.active());
    return known >= 0 ? known : stepRow(props.rows, -1, 1);
  });
  const currentId = createMemo(() => {
    const row = props.rows[place()];
    return row && !isFolder(row) ? row.session_id : undefined;
  });
  const hasSeveralAgents = createMemo(
    () => new Set(room.cards().map((card) => card.agent ?? "codex")).size > 1,
  );
  const choose = (session: string) => {
    setCurrent(session);
    room.activate(session);
    props.onChosen();
  };
  const moveTo = (index: number) => {
    const row = props.rows[index];
    if (!row || isFolder(row)) return;
    setCurrent(row.session_id);
    list?.scrollToIndex(index, { align: "nearest" });
  };
  const openers = menuOpeners((at) => {
    const session = currentId();
    if (session) props.onMenu(session, at);
  });
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const session = currentId();
    const by = WALK[event.key];
    if (by !== undefined) moveTo(stepRow(props.rows, place(), by));
    else if (event.key === "Home") moveTo(stepRow(props.rows, -1, 1));
    else if (session && (event.key === "Enter" || event.key === " ")) choose(session);
    else if (session && event.key === "Delete") room.hide(session);
    else if (session && event.key === "F2") props.onRename(session);
    else return openers.onKeyDown(event);
    event.preventDefault();
  };
  createEffect(on(room.active, () => setCurrent(undefined)));
  onMount(() => list?.scrollToIndex(Math.max(0, place() - 1), { align: "nearest" }));

  return (
    <VList
      ref={(handle) => {
        list = handle;
      }}
      class="frame-side-list"
      role="listbox"
      tabindex="0"
      aria-label={t("sessions")}
      aria-activedescendant={currentId() ? `${prefix}-${currentId()}` : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      data={props.rows}
      itemSize={34}
      keepMounted={[Math.max(0, place())]}
    >
      {(row, index) =>
        isFolder(row) ? (
          <FolderRow row={row} />
        ) : (
          <SessionRow
            card={row}
            id={`${prefix}-${row.session_id}`}
            place={counts()[index()] ?? 0}
            size={counts().at(-1) ?? 0}
            chosen={room.active() === row.session_id}
            current={focused() && currentId() === row.session_id}
            showsAgent={hasSeveralAgents()}
            onChoose={() => choose(row.session_id)}
            onMenu={(at) => props.onMenu(row.session_id, at)}
          />
        )
      }
    </VList>
  );
}
