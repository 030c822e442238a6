"""A session for a surface that gets events: runs as they go, and Asks as questions, one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bascule.core.bounded import forget_oldest
from bascule.core.events.replay import replay
from bascule.core.events.run_events import NumberedEvent
from bascule.core.events.stream import ContextLeft, EventStream, Message, RunState
from bascule.core.wire import rpc
from bascule.daemon.sessions.session_reader import latest_todos
from bascule.daemon.sessions.watchers import SessionSnapshot
from bascule.daemon.surfaces.event_asks import PlainAsks
from bascule.daemon.surfaces.surfaces import Surface
from bascule.model.blocks import PlanBlock
from bascule.model.changes import AskClosed, BlockPut, Change
from bascule.model.ids import PromptKey, SessionId
from bascule.model.protocol import runs
from bascule.model.protocol.sessions import Todos
from bascule.model.session import Session

if TYPE_CHECKING:
    from bascule.daemon.parts import App

MAX_REPLAYED_RUNS = 1_000
MAX_REPLAYED_EVENTS = 20_000
MAX_META = 100  # runs whose meta is remembered


class PlainView:
    """Of a session whose log is in memory."""

    def __init__(self, app: "App", surface: Surface, session: SessionId) -> None:
        self._stream = EventStream(preflight=surface.capabilities.supports_permission_preflight_events)
        self._watcher = app.hub.watch(session, surface.news)
        self._asks = PlainAsks(app, surface, session)
        self._hub = app.hub
        self._session = session
        self._wake = surface.news.set
        self._holds = 0
        self._meta: dict[str, dict[str, Any]] = {}  # by run
        self._closed: list[AskClosed] = []  # since the questions were looked at
        self._unsaid = self._take_news()  # it joins now: what ends from here on is no history, and is sent

    def own(self, key: PromptKey) -> None:
        """The surface shows its own prompts itself."""
        self._stream.own(key)

    def give_back(self, run_id: str, meta: dict[str, Any]) -> None:
        """What a client sent with its prompt comes with each event of the run."""
        self._meta[run_id] = meta
        forget_oldest(self._meta, MAX_META)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Until the reply is said: who hears of a run's end before its name waits for that end for ever."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._wake()

    def frames(self) -> list[bytes]:
        if self._holds:
            return []
        frames, self._unsaid = [*self._unsaid, *self._take_news()], []
        closed, self._closed = self._closed, []
        self._asks.look(closed)
        return frames

    def _take_news(self) -> list[bytes]:
        news = self._watcher.take()
        if isinstance(news, SessionSnapshot):
            messages, planned = self._stream.join(news.session), False
        else:
            changes = [numbered.change for numbered in news]
            messages, planned = self._stream.feed(changes), any(map(_is_plan, changes))
            self._closed += [change for change in changes if isinstance(change, AskClosed)]
        frames = [frame_of(message, self._meta.get(message.run_id)) for message in messages]
        return [*frames, *(self._todos() if planned else ())]

    def _todos(self) -> list[bytes]:
        todos = latest_todos(self._hub.session(self._session))
        return [rpc.notification("todos.update", Todos(session_id=self._session, todos=todos))]

    def close(self) -> None:
        self._watcher.close()
        self._asks.close()


class AsksView:
    """Only the Asks of a session, for a surface that is sent events and does not follow that session."""

    def __init__(self, app: "App", surface: Surface, session: SessionId) -> None:
        self._watcher = app.hub.watch(session, surface.news)
        self._asks = PlainAsks(app, surface, session)

    def frames(self) -> list[bytes]:
        news = self._watcher.take()
        changes = [] if isinstance(news, SessionSnapshot) else [numbered.change for numbered in news]
        self._asks.look([change for change in changes if isinstance(change, AskClosed)])
        return []

    def close(self) -> None:
        self._watcher.close()
        self._asks.close()


def follow_asks(app: "App", surface: Surface, session: SessionId | None) -> None:
    """A surface that is sent events is asked what it itself will open an Ask for."""
    place = app.asks.open_machine() if session is None else session
    if not surface.capabilities.supports_session_sync and place not in surface.views:
        surface.views[place] = AsksView(app, surface, place)


def _is_plan(change: Change) -> bool:
    return isinstance(change, BlockPut) and isinstance(change.block, PlanBlock)


def frame_of(message: Message, meta: dict[str, Any] | None = None) -> bytes:
    match message:
        case NumberedEvent():
            notice = runs.AgentEventNotify(
                run_id=message.run_id, seq=message.seq, event=message.event, meta=meta or {}
            )
            return rpc.notification("agent.event", notice)
        case RunState():
            state = runs.RunStatusNotify(
                run_id=message.run_id, status=message.status, message=message.message
            )
            return rpc.notification("run.status", state)
        case ContextLeft():
            left = runs.RunContextNotify(run_id=message.run_id, context_left_percent=message.percent)
            return rpc.notification("run.context", left)


def replay_frames(
    session: Session, params: runs.SessionHistoryParams
) -> tuple[list[bytes], runs.SessionHistoryResult]:
    """The past as events, numbered per run as they would have been."""
    notice = replay(
        session,
        max(0, min(params.max_runs, MAX_REPLAYED_RUNS)),
        max(0, min(params.max_events, MAX_REPLAYED_EVENTS)),
    )
    result = runs.SessionHistoryResult(
        runs=notice.runs, events_sent=len(notice.events), truncated=notice.truncated or bool(session.earlier)
    )
    return [frame_of(event) for event in notice.events], result
