// The layout: sessions at the side; above the log the bar and what waits, below it the input and the status.
import { createEffect, createSignal, lazy, Show, Suspense } from "solid-js";
import { Dynamic } from "solid-js/web";
import "./app.css";
import { t } from "./app_texts";
import { focusQuestion } from "./asks/focus";
import { Inbox } from "./asks/inbox/inbox";
import { focusComposer } from "./composer/input/focus";
import { insertIntoPrompt } from "./composer/input/insert";
import { watchAttention } from "./frame/attention/attention";
import { PANEL } from "./frame/names";
import { listenForShortcuts } from "./frame/shortcuts";
import { Sidebar } from "./frame/sidebar/sidebar";
import { SEARCH } from "./frame/sidebar/sidebar_search";
import { makeSidebarState, type SidebarState } from "./frame/sidebar/sidebar_state";
import { ConnectionBar } from "./frame/status/connection_bar";
import { TroubleBar } from "./frame/status/trouble_bar";
import { refuseStrayFiles } from "./frame/stray_files";
import { Toasts } from "./frame/toasts";
import { TopBar } from "./frame/topbar";
import { catchTyped } from "./frame/typed_ahead";
import { type Board, createBoard } from "./home/board/board";
import { needsBoard, watchTheirs } from "./home/theirs/their_attention";
import { Overlays } from "./overlays";
import type { PaletteReach } from "./palette/entries";
import { PanesButton, PanesDock } from "./panes/dock/dock";
import { loadSessionView, painted } from "./session_part";
import type { SessionView } from "./session_view";
import { mayAct } from "./state/access";
import { type Room, useRoom } from "./state/room";
import { ownSession, shownSession } from "./state/sessions/viewed";
import { visible } from "./text/visible";

const HomeView = lazy(() => import("./home_view"));
const BesideLog = lazy(() => import("./review/pane/beside_log").then((all) => ({ default: all.BesideLog })));

export function App() {
  const room = useRoom();
  const sidebar = makeSidebarState(room);
  const board = createBoard(room, () => needsBoard(room));
  const sessionView = loadSessionView(room, board);
  const [begun, setBegun] = createSignal<string>(); // a session whose input is to have the focus
  const focusSearch = () => {
    sidebar.show();
    queueMicrotask(() => document.getElementById(SEARCH)?.focus());
  };
  const begin = async () => setBegun(await room.create());
  const focusPanel = () => document.getElementById(PANEL)?.focus();
  const openPalette = () => {
    if (room.overlay()?.kind === "palette") return;
    if (sidebar.isDrawer()) sidebar.settle();
    const ahead = catchTyped(); // it may have to be loaded first
    queueMicrotask(() => room.show({ kind: "palette", ahead })); // after a drawer has returned the focus
  };
  const reach: PaletteReach = {
    onNew: begin,
    onSidebar: sidebar.toggle,
    onOpened: (session) => {
      focusPanel();
      if (!matchMedia("(pointer: coarse)").matches) setBegun(session); // on glass it would raise the keyboard
    },
    onReading: focusPanel,
  };
  room.host.onInsert(async (text) => setBegun(await insertIntoPrompt(room, text)));
  watchAttention(room);
  watchTheirs(room, board);
  refuseStrayFiles();
  listenForShortcuts(room, {
    begin,
    sidebar,
    search: openPalette,
    focusComposer,
    focusQuestion: () => focusQuestion(room),
  });
  createEffect(() => {
    const session = begun();
    if (!session || !room.mirror(session) || !sessionView()) return;
    setBegun(undefined);
    queueMicrotask(focusComposer);
  });
  const toInput = () => ownSession(room) !== "" && mayAct(room.access());
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    if (toInput()) focusComposer();
    else focusPanel();
  };
  return (
    <>
      <a class="app-skip" href={`#${PANEL}`} onClick={skip}>
        {t(toInput() ? "skip" : "skipLog")}
      </a>
      <div class="app" classList={{ "app-drawer": sidebar.isDrawer() }}>
        <Side sidebar={sidebar} onSearch={openPalette} />
        <div class="app-main" inert={sidebar.isDrawer() && (sidebar.open() || room.beside() !== undefined)}>
          <TopBar
            inbox={
              <>
                <Show when={room.host.kind === "browser"}>
                  <PanesButton />
                </Show>
                <Inbox />
              </>
            }
            onNew={begin}
            sidebarOpen={sidebar.open()}
            onSidebar={sidebar.toggle}
          />
          <ConnectionBar />
          <TroubleBar />
          <Panel
            board={board}
            onStarted={setBegun}
            sessionView={sessionView()}
            onResume={focusSearch}
            onSearch={openPalette}
          />
          <PanesDock />
        </div>
        <Show when={room.beside()}>
          {(beside) => (
            <Suspense>
              <BesideLog beside={beside()} isWhole={sidebar.isDrawer()} />
            </Suspense>
          )}
        </Show>
      </div>
      <Overlays reach={reach} />
      <Toasts />
    </>
  );
}

/// The sessions; on a narrow screen in a drawer over the rest.
function Side(props: { sidebar: SidebarState; onSearch: () => void }) {
  return (
    <Show when={props.sidebar.open()}>
      <Show when={props.sidebar.isDrawer()}>
        <button
          type="button"
          class="app-veil"
          tabindex="-1"
          aria-label={t("closeSidebar")}
          onClick={props.sidebar.settle}
        />
      </Show>
      <aside class="app-side">
        <Sidebar
          isDrawer={props.sidebar.isDrawer()}
          onChosen={props.sidebar.settle}
          onClose={props.sidebar.settle}
          onSearch={props.onSearch}
        />
      </aside>
    </Show>
  );
}

interface PanelProps {
  board: Board;
  sessionView: SessionView | undefined; // once it is loaded
  onStarted: (session: string) => void;
  onResume: () => void;
  onSearch: () => void;
}

/// The session that is shown, or the home page.
function Panel(props: PanelProps) {
  const room = useRoom();
  const mayShowHome = createAfterList(room);
  return (
    <main
      id={PANEL}
      class="app-panel"
      tabindex="-1"
      data-session={room.active() || undefined}
      aria-label={panelName(shownSession(room))}
    >
      <Show
        when={room.active()}
        fallback={
          <Show when={mayShowHome()} fallback={<Loading />}>
            <Suspense fallback={<Loading />}>
              <HomeView board={props.board} onStarted={props.onStarted} />
            </Suspense>
          </Show>
        }
      >
        <Show
          when={props.sessionView && room.mirror(room.active())}
          keyed
          fallback={
            <Show when={room.isMissing()} fallback={<Loading />}>
              <Missing onSearch={props.onSearch} />
            </Show>
          }
        >
          {(mirror) => <Dynamic component={props.sessionView} mirror={mirror} onResume={props.onResume} />}
        </Show>
      </Show>
    </main>
  );
}

/// The list comes first, and with it the session that was open before; without a daemon there is no list to wait for.
function createAfterList(room: Room): () => boolean {
  const [isDrawn, setDrawn] = createSignal(false);
  createEffect(() => {
    if (room.listed() || room.connection().state === "lost") void painted().then(() => setDrawn(true));
  });
  return isDrawn;
}

function Loading() {
  return (
    <p class="app-loading" role="status">
      {t("loading")}
    </p>
  );
}

/// A link to a session that isn't here.
function Missing(props: { onSearch: () => void }) {
  const room = useRoom();
  return (
    <section class="app-missing" aria-labelledby="app-missing">
      <h2 id="app-missing">{t("missing")}</h2>
      <p>{t("missingWhy")}</p>
      <div class="app-missing-acts">
        <button type="button" class="primary" onClick={() => room.activate("")}>
          {t("toHome")}
        </button>
        <button type="button" onClick={() => props.onSearch()}>
          {t("toSearch")}
        </button>
      </div>
    </section>
  );
}

function panelName(shown: { name: string } | undefined): string | undefined {
  return shown && t("session", { title: visible(shown.name) });
}
