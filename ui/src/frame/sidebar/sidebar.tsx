// The sidebar: every session there is, ten thousand of them, to be searched and walked through.
import { createMemo, createSignal, onCleanup, onMount, Show } from "solid-js";
import type { FoundText } from "../../model.gen";
import { useRoom } from "../../state/room";
import { NotifyButton } from "../attention/notify_button";
import { makeSessionMenu } from "../session/session_menu";
import { t } from "../session_texts";
import { makeSearching } from "./searching";
import { SessionList } from "./session_list";
import { SidebarBrand, SidebarHead, SidebarHome } from "./sidebar_head";
import { isGroup, makeRows, splitWords, stepRow } from "./sidebar_rows";
import { SidebarSearch } from "./sidebar_search";
import "./sidebar.css";

const SHOWS_ARCHIVED = "archived"; // a wish

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
  const searched = makeSearching(room, query);
  const said = createMemo(() => hitsBySession(searched().sessions));
  const showsArchived = () => room.wish(SHOWS_ARCHIVED) === "shown";
  const rows = createMemo(() =>
    makeRows(room.cards(), { query: query(), said: said(), showsArchived: showsArchived() }),
  );
  let side!: HTMLElement;
  const before = document.activeElement;
  onMount(() => {
    if (props.isDrawer) side.querySelector("input")?.focus();
  });
  // A drawer gives the focus back to who opened it, as a dialog does.
  onCleanup(() => queueMicrotask(() => isNowhere() && before instanceof HTMLElement && before.focus()));
  const toList = () => side.querySelector<HTMLElement>("[role=listbox]")?.focus();
  const openFirst = () => {
    const first = rows()[stepRow(rows(), -1, 1)];
    if (!first || isGroup(first)) return;
    room.activate(first.session_id);
    props.onChosen();
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
      <SidebarBrand isDrawer={props.isDrawer} onClose={props.onClose} />
      <SidebarSearch
        query={query()}
        onQuery={setQuery}
        onDown={toList}
        onEnter={openFirst}
        onSearchAll={props.onSearch}
      />
      <SidebarHome onChosen={props.onChosen} />
      <SidebarHead
        showsArchived={showsArchived()}
        onArchived={(shown) => room.setWish(SHOWS_ARCHIVED, shown ? "shown" : "")}
      />
      <Show when={rows().length > 0} fallback={<Nothing query={query()} state={searched().state} />}>
        <SessionList
          rows={rows()}
          hit={(session) => said().get(session)}
          words={splitWords(query())}
          onMenu={(session, at) => menu.open(session, at)}
          onRename={(session) => menu.rename(session)}
          onChosen={props.onChosen}
        />
      </Show>
      <Show when={searched().state === "failed"}>
        <p class="frame-side-note" role="status">
          {t("saidFailed")}
        </p>
      </Show>
      <NotifyButton />
      {menu.outlet()}
    </nav>
  );
}

function Nothing(props: { query: string; state: string }) {
  const text = () => {
    if (!props.query) return t("none");
    return props.state === "busy" ? t("searching") : t("noneFound", { query: props.query });
  };
  return (
    <p class="frame-side-none" role="status">
      {text()}
    </p>
  );
}

/// What was said, not the name: that is in the row already.
function hitsBySession(
  found: readonly { session_id: string; hits?: readonly FoundText[] }[],
): ReadonlyMap<string, FoundText | undefined> {
  return new Map(
    found.map((one) => [one.session_id, one.hits?.find((hit) => hit.found_in !== "title")] as const),
  );
}

function isNowhere(): boolean {
  return !document.activeElement || document.activeElement === document.body;
}
