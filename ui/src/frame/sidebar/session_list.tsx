// The list of sessions: one stop for Tab, walked with the arrows, opened with Enter.
import { createEffect, createMemo, createSignal, createUniqueId, on, onMount } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import type { FoundText } from "../../model.gen";
import { useRoom } from "../../state/room";
import { menuOpeners } from "../menus/menu_openers";
import { t } from "../session_texts";
import { GroupRow, SessionRow } from "./sidebar_row";
import { countUp, isGroup, type SidebarEntry, stepRow } from "./sidebar_rows";

const PAGE = 10; // rows of PageUp and PageDown
const WALK: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  End: Number.MAX_SAFE_INTEGER,
};

interface ListProps {
  rows: readonly SidebarEntry[];
  onMenu: (session: string, at: { x: number; y: number }) => void;
  onRename: (session: string) => void;
  onChosen: () => void;
  /// Where the words of a search were said in a session.
  hit: (session: string) => FoundText | undefined;
  words: readonly string[];
}

/// One stop for Tab; inside, the arrows move what is current, and Enter opens it.
export function SessionList(props: ListProps) {
  const room = useRoom();
  const prefix = createUniqueId();
  const [current, setCurrent] = createSignal<string>(); // a session
  const [focused, setFocused] = createSignal(false);
  const counts = createMemo(() => countUp(props.rows));
  let list: VListHandle | undefined;

  const place = createMemo(() => {
    const find = (id: string | undefined) =>
      props.rows.findIndex((row) => !isGroup(row) && row.session_id === id);
    const known = find(current() ?? room.active());
    return known >= 0 ? known : stepRow(props.rows, -1, 1);
  });
  const currentId = createMemo(() => {
    const row = props.rows[place()];
    return row && !isGroup(row) ? row.session_id : undefined;
  });
  const hasSeveralAgents = createMemo(
    () => new Set(room.cards().map((card) => card.agent ?? "codex")).size > 1,
  );
  const choose = (session: string) => {
    setCurrent(session);
    const block = props.hit(session)?.block_id;
    if (block) room.goTo({ session, block, words: props.words });
    else room.activate(session);
    props.onChosen();
  };
  const moveTo = (index: number) => {
    const row = props.rows[index];
    if (!row || isGroup(row)) return;
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
        isGroup(row) ? (
          <GroupRow row={row} />
        ) : (
          <SessionRow
            card={row}
            id={`${prefix}-${row.session_id}`}
            place={counts()[index()] ?? 0}
            size={counts().at(-1) ?? 0}
            chosen={room.active() === row.session_id}
            current={focused() && currentId() === row.session_id}
            showsAgent={hasSeveralAgents()}
            hit={props.hit(row.session_id)}
            words={props.words}
            onChoose={() => choose(row.session_id)}
            onMenu={(at) => props.onMenu(row.session_id, at)}
          />
        )
      }
    </VList>
  );
}
