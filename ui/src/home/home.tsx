// Home, the control room: what waits, what works, what has ended since the last look, and the recent sessions.

import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { MessagesHere } from "../frame/toasts";
import type { WaitingAsk, WatchedSession } from "../model.gen";
import { useRoom } from "../state/room";
import { createFramed } from "../text/frames";
import type { Board } from "./board/board";
import { BoardNote } from "./board/board_note";
import { t as tBoard } from "./board/board_texts";
import { makeMarks } from "./board/marks";
import { Ended } from "./ended";
import { type HomeFilter, makeEntries, makeOurs, matches, sortOut } from "./entries";
import { FilterBar } from "./filter_bar";
import { Recent } from "./recent";
import { ByFolders, ByKeys, Either, Section } from "./section";
import { t } from "./texts";
import { openTheirs } from "./theirs/open_theirs";
import { TheirCard, TheirLine } from "./theirs/theirs";
import { Waiting } from "./waiting";
import { Working } from "./working";
import "./home.css";

/// `children` come after the lists: how to begin.
export function Home(props: { board: Board; children?: JSX.Element }): JSX.Element {
  const room = useRoom();
  const board = props.board;
  const marks = makeMarks(room);
  const [filter, setFilter] = createSignal<HomeFilter>({});
  const [showsHidden, setShowsHidden] = createSignal(false);
  const open = (key: string) => {
    const session = board.find(key);
    if (session) openTheirs(room, session);
  };
  let spentMs = 0; // on the last sorting: with thousands of sessions, it is not done for every frame
  const watched = createFramed(board.sessions, () => spentMs);
  const hidden = createMemo(() => marks.hidden());
  const pinned = createMemo(() => marks.pinned());
  const others = createMemo(() => watched().filter((one) => showsHidden() || !hidden().has(one.key)));
  const all = createMemo(() => {
    const begunAt = performance.now();
    const made = makeEntries(room.cards(), others(), pinned());
    spentMs = performance.now() - begunAt;
    return made;
  });
  const entries = createMemo(() => sortOut(all(), room.isSeen, filter()));
  const asks = createMemo(() =>
    room.inbox().filter((one) => {
      const card = room.card(one.session_id);
      return !card || matches(makeOurs(card), filter());
    }),
  );
  const hasTheirs = createMemo(() => watched().some((one) => !one.session_id));
  const hiddenCount = createMemo(
    () => watched().filter((one) => !one.session_id && hidden().has(one.key)).length,
  );
  const isFiltered = () => Object.values(filter()).some((value) => value !== undefined);
  const hasMore = () => Object.values(entries().more).some((count) => count > 0);
  const waits = () => asks().length > 0 || entries().waiting.length > 0;
  const isQuiet = () => !waits() && entries().working.length === 0 && entries().ended.length === 0;
  const theirCard = (session: () => WatchedSession) => (
    <TheirCard session={session()} isPinned={pinned().has(session().key)} onOpen={open} />
  );
  const theirLine = (session: () => WatchedSession) => (
    <TheirLine session={session()} isPinned={pinned().has(session().key)} onOpen={open} />
  );
  return (
    <>
      <Show when={waits()}>
        <MessagesHere />
      </Show>
      <div class="home">
        <div class="home-column">
          <Show when={hasTheirs() || isFiltered() || hasMore()}>
            <FilterBar
              entries={all()}
              filter={filter()}
              onFilter={setFilter}
              hidden={hiddenCount()}
              showsHidden={showsHidden()}
              onShowHidden={setShowsHidden}
            />
          </Show>
          <BoardNote board={board} />
          <Show when={all().length > 0 && isQuiet() && !isFiltered()}>
            <p class="home-quiet">{t("quiet")}</p>
          </Show>
          <Show when={isFiltered() && isQuiet() && entries().recent.length === 0}>
            <p class="home-quiet">
              {tBoard("noMatch")}{" "}
              <button type="button" class="small" onClick={() => setFilter({})}>
                {tBoard("clear")}
              </button>
            </p>
          </Show>
          <Lists
            asks={asks()}
            entries={entries()}
            waits={waits()}
            theirCard={theirCard}
            theirLine={theirLine}
            onFolder={(folder) => setFilter({ folder })}
          />
          {props.children}
        </div>
      </div>
    </>
  );
}

interface ListsProps {
  asks: readonly WaitingAsk[];
  entries: ReturnType<typeof sortOut>;
  waits: boolean;
  theirCard: (session: () => WatchedSession) => JSX.Element;
  theirLine: (session: () => WatchedSession) => JSX.Element;
  onFolder: (folder: string) => void;
}

/// What waits, what works, what has ended, and what was there before.
function Lists(props: ListsProps): JSX.Element {
  const room = useRoom();
  return (
    <>
      <Show when={props.waits}>
        <Waiting
          asks={props.asks}
          entries={props.entries.waiting}
          more={props.entries.more.waiting}
          theirs={props.theirCard}
        />
      </Show>
      <Show when={props.entries.working.length > 0}>
        <Section
          name={t("working")}
          state="working"
          count={props.entries.working.length + props.entries.more.working}
          more={props.entries.more.working}
        >
          <ByKeys entries={props.entries.working}>
            {(entry) => (
              <Either entry={entry()} ours={(card) => <Working card={card()} />} theirs={props.theirCard} />
            )}
          </ByKeys>
        </Section>
      </Show>
      <Show when={props.entries.ended.length > 0}>
        <Section
          name={t("ended")}
          state="completed"
          count={props.entries.ended.length + props.entries.more.ended}
          more={props.entries.more.ended}
          tools={
            <button type="button" class="plain small" onClick={() => room.lookAtAll()}>
              {t("seen")}
            </button>
          }
        >
          <ByKeys entries={props.entries.ended}>{(entry) => <Ended card={entry().card} />}</ByKeys>
        </Section>
      </Show>
      <Show when={props.entries.recent.length > 0}>
        <section aria-labelledby="home-recent">
          <h2 id="home-recent">{t("recent")}</h2>
          <ByFolders projects={props.entries.recent}>
            {(project) => (
              <Recent
                project={project()}
                theirs={props.theirLine}
                onAll={() => props.onFolder(project().folder)}
              />
            )}
          </ByFolders>
          <Show when={props.entries.more.projects}>
            {(count) => <p class="home-more">{t("moreProjects", { count: count() })}</p>}
          </Show>
        </section>
      </Show>
    </>
  );
}
