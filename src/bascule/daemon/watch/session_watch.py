"""Every session on this machine: what the sources say goes to the board, and from there to surfaces."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from bascule.core.session.status import shown_status
from bascule.core.text.plain import plain_line
from bascule.core.text.redact import Redactor
from bascule.core.watch.board import Board
from bascule.core.watch.labels import cut, cut_path, make_label
from bascule.core.watch.merge import make_key
from bascule.daemon.agents.pool import AgentPool, place_of
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.watch.board_feed import BoardFeed
from bascule.daemon.watch.file_sources import FileSources
from bascule.daemon.watch.live_views import LiveViews
from bascule.daemon.watch.pane_sessions import PaneSessions
from bascule.host.files.data_folder import Folder
from bascule.host.processes.tasks import Tasks
from bascule.host.watch.agent_homes import AgentHomes
from bascule.host.watch.codex_daemon import CodexDaemon
from bascule.host.watch.faults import WatchFaults
from bascule.model.ids import SessionId
from bascule.model.protocol.board import BoardNotify
from bascule.model.session import Session
from bascule.model.watch import Signal, Source, WatchedSession

MAX_FAULTS = 20


class SessionWatch:
    """Nothing is watched before the first surface asks for it; from then on, until the daemon ends."""

    def __init__(
        self,
        *,
        hub: Hub,
        pool: AgentPool,
        folder: Folder,
        env: Mapping[str, str],
        home: str,
        redactor: Redactor,
        tasks: Tasks,
        shells: Callable[[], Mapping[str, int]],
        note_agent: Callable[[int], None],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._pool = pool
        self._redactor = redactor
        self._tasks = tasks
        self._now_ms = now_ms
        self._board = Board()
        self.panes = PaneSessions(
            self._board, shells=shells, feed=lambda signal: self.feed([signal]), show=self._bind
        )
        self._feeds: set[BoardFeed] = set()
        self._beginning: asyncio.Event | None = None
        self.faults = WatchFaults()
        homes = AgentHomes(env, home)
        self._daemons = {
            one: CodexDaemon(one, self.feed, self.faults, now_ms, note_agent=note_agent)
            for one in homes.own_codex
        }
        self.views = LiveViews(
            find_line=self._board.find,
            find_shared=self.find_shared,
            homes=homes,
            faults=self.faults,
            tasks=tasks,
        )
        self.files = FileSources(
            folder=folder,
            homes=homes,
            faults=self.faults,
            deliver=self.feed,
            on_deleted=lambda session: self._forget("rollout", make_key("codex", session)),
        )

    async def begin(self) -> None:
        """Returns when what is there already has been read once."""
        await self.start().wait()

    def start(self) -> asyncio.Event:
        """Set when what is there already has been read once."""
        if self._beginning is None:
            self._beginning = asyncio.Event()
            loop = asyncio.get_running_loop()
            self.faults.on_change = lambda: loop.call_soon_threadsafe(self._tell_faults)
            self._tasks.start("watch our sessions", self._watch_ours())
            self._tasks.start("watch files of agents", self.files.run(self._beginning))
            for codex_home, daemon in self._daemons.items():
                self._tasks.start(f"listen to Codex in {codex_home}", daemon.run())
        return self._beginning

    def feed(self, signals: Iterable[Signal]) -> None:
        for signal in signals:
            if plain_line(signal.session) != signal.session:
                continue  # no agent's id: it is shown and recorded as it is
            key = make_key(signal.agent, signal.session)
            is_new = (
                self._board.find(key) is None and self._beginning is not None and self._beginning.is_set()
            )
            taken = self.panes.take(signal, is_new=is_new) if signal.source != "pane" else signal
            line = self._board.feed(self._clean(taken), self._now_ms())
            self._tell_left()
            self.panes.after(signal)
            bound = self._board.find(key)
            if line is not None and bound is not None:
                self._tell(bound)

    def _bind(self, key: str, pane: str) -> None:
        line = self._board.bind(key, pane, self._now_ms(), is_still=self.panes.is_still(pane))
        if line is not None:
            self._tell(line)

    def _tell(self, line: WatchedSession) -> None:
        for feed in self._feeds:
            feed.put(line)
        self.views.take(line)

    def find(self, key: str) -> WatchedSession | None:
        return self._board.find(key)

    def _tell_left(self) -> None:
        for left in self._board.take_left():
            for feed in self._feeds:
                feed.remove(left)

    def forget_ours(self, agent: str, thread: str) -> None:
        """A session that is no longer kept here: from now on only what others say of it counts."""
        self._forget("protocol", make_key(agent, thread))

    def _forget(self, source: Source, key: str) -> None:
        line = self._board.forget(source, key, self._now_ms())
        self._tell_left()
        if line is not None:
            self._tell(line)

    def find_shared(self, line: WatchedSession) -> str:
        """The Codex home whose shared daemon has it loaded; empty where none has."""
        if line.agent != "codex":
            return ""
        homes = (one for one, daemon in self._daemons.items() if daemon.has_loaded(line.their_id))
        return next(homes, "")

    def all(self) -> list[WatchedSession]:
        return self._board.all()

    def watch(self, news: asyncio.Event) -> BoardFeed:
        """Sends nothing until it is opened."""
        feed = BoardFeed(news, self._list_whole, self._feeds.discard)
        self._feeds.add(feed)
        return feed

    def _list_whole(self) -> BoardNotify:
        return BoardNotify(sessions=tuple(self._board.all()), whole=True, faults=self._list_faults())

    def _list_faults(self) -> tuple[str, ...]:
        faults = (f"{where}: {why}" for where, why in self.faults.said[-MAX_FAULTS:])
        return tuple(make_label(fault) for fault in faults)

    def _tell_faults(self) -> None:
        faults = self._list_faults()
        for feed in self._feeds:
            feed.tell_faults(faults)

    def _clean(self, signal: Signal) -> Signal:
        """Everything from outside is shown as text, and without what looks like a secret."""

        def text(said: str) -> str:
            return make_label(self._redactor.redact(cut(said))) if said else ""

        return replace(
            signal,
            title=text(signal.title),
            doing=text(signal.doing),
            branch=text(signal.branch),
            cwd=plain_line(cut_path(signal.cwd)),
        )

    # -- the sessions that are driven here --

    async def _watch_ours(self) -> None:
        news = asyncio.Event()
        watcher = self._hub.watch_list(news)
        self.feed(self._describe_changed(head.id for head in self._hub.heads()))
        try:
            while True:
                await news.wait()
                news.clear()
                self.feed(self._describe_changed(watcher.take()))
        finally:
            watcher.close()

    def _describe_changed(self, changed: Iterable[SessionId]) -> list[Signal]:
        """Deleted ones too, or an agent's own file would bring their titles back."""
        heads = (self._hub.find(session) for session in changed)
        return [self._describe(head) for head in heads if head is not None and head.thread and head.agent]

    def _describe(self, head: Session) -> Signal:
        """Of one whose agent does not run, others may know more."""
        status = shown_status(head)
        is_driven = status in ("working", "waiting_user") or self._pool.is_running(place_of(head))
        asked = head.asks[0].title if head.asks else ""
        return Signal(
            source="protocol",
            agent=head.agent,
            session=head.thread or head.id,
            evidence=status if is_driven else "at rest",
            status=status if is_driven else "unknown",
            at_ms=head.updated_at_ms,
            cwd=head.workspace,
            title=head.title,
            doing=asked,
            our_id=head.id,
            hidden=head.deleted_at_ms is not None or head.parent_thread is not None,
        )
