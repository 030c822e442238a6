"""Who is who: which session a thread belongs to, and each session's lane to its agent."""

from collections.abc import Callable
from typing import TypeVar

from bascule.core.bounded import forget_oldest
from bascule.core.faults import UserError
from bascule.core.prompts.prompt_lane import MAX_ENDED, Lane
from bascule.daemon.agents.pool import AgentPlace, place_of
from bascule.daemon.prompts.prompt_outcomes import PromptOutcomes
from bascule.daemon.sessions.hub import Hub
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.changes import QueueSet
from bascule.model.consent.audit import Remote
from bascule.model.ids import RunId, SessionId, ThreadId
from bascule.model.session import Session

T = TypeVar("T")


MAX_LEFT = 10_000  # conversations


class SessionMissing(UserError):
    """No session of that id; the text says how to find the right one."""

    def __init__(self, session: str) -> None:
        super().__init__(f"There is no session {session}. `bascule sessions` lists them.")


class Roster:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._by_thread = {(head.agent, head.thread): head.id for head in hub.heads() if head.thread}
        self._left: dict[tuple[str, ThreadId], None] = {}  # by clearing: their agent may still speak of them
        self._lanes: dict[SessionId, Lane] = {}
        self.outcomes = PromptOutcomes()
        hub.is_busy = lambda session: not self.is_idle(session)
        hub.on_left = self._forget_lane

    def get(self, session: SessionId) -> Session:
        """The session without its blocks, which are not loaded for it."""
        found = self._hub.find(session)
        if found is not None:
            return found
        if (why := self._hub.find_aside(session)) is not None:
            raise SessionUnreadable(session, why)
        raise SessionMissing(session)

    def find_agent(self, session: SessionId) -> str:
        """By name; empty where the session is no longer known."""
        found = self._hub.find(session)
        return found.agent if found is not None else ""

    async def open(self, session: SessionId) -> Session:
        """As `get`; its log and its lane are in memory afterwards."""
        self.get(session)
        await self._hub.load(session)
        return self.get(session)

    def latest_run(self, session: SessionId) -> RunId | None:
        """For what is only noted here: so that it keeps its place when the past is read again."""
        runs = self.get(session).runs
        return runs[-1].id if runs else None

    def bind(self, agent: str, thread: ThreadId, session: SessionId) -> None:
        self._by_thread[agent, thread] = session
        self._left.pop((agent, thread), None)

    def unbind(self, agent: str, thread: ThreadId) -> None:
        self._by_thread.pop((agent, thread), None)
        self._left[agent, thread] = None
        forget_oldest(self._left, MAX_LEFT)

    def has_left(self, agent: str, thread: ThreadId) -> bool:
        return (agent, thread) in self._left

    def find_by_thread(self, agent: str, thread: ThreadId) -> SessionId | None:
        """Two agents may call two conversations the same."""
        return self._by_thread.get((agent, thread))

    def lane(self, session: SessionId) -> Lane:
        """To look at; what changes it goes through `change`."""
        lane = self._lanes.get(session)
        if lane is None:
            head = self.get(session)
            ended = [run.id for run in head.runs[-MAX_ENDED:] if run.outcome != "running"]
            lane = Lane(head.queue, head.queue_held, self._hub.read_keys(session), ended)
            self._lanes[session] = lane
        return lane

    def is_idle(self, session: SessionId) -> bool:
        """Its agent is not at work. One without a lane was not used yet, or not for a while."""
        lane = self._lanes.get(session)
        return lane is None or lane.idle

    def find_sender(self, session: SessionId) -> Remote | None:
        """Of the Order that its current run is for."""
        lane = self._lanes.get(session)
        return lane.sender if lane is not None else None

    def _forget_lane(self, session: SessionId) -> None:
        """It left memory at rest: its head has the queue, the store has the keys.

        Only the lane knows for whom an Order's run was, and a helper of that run may ask later."""
        if self.find_sender(session) is None:
            self._lanes.pop(session, None)

    def busy(self, workspace: str, agent: str = "", via: str = "") -> list[SessionId]:
        """Sessions of a workspace, or of one agent in it, in which work is going on or about to begin.

        Of those that are joined only with the home through which they are."""
        working = [self._hub.find(id_) for id_, lane in self._lanes.items() if not lane.idle]
        return [
            head.id
            for head in working
            if head is not None
            and head.workspace == workspace
            and agent in ("", head.agent)
            and place_of(head).via == via
        ]

    def is_needed(self, place: AgentPlace) -> bool:
        """That agent is at work there, a person is asked something, or prompts wait."""
        if self.busy(place.workspace, place.agent, place.via):
            return True
        heads = (head for head in self._hub.heads() if place_of(head) == place)
        return any(head.asks or head.queue for head in heads)

    def change(self, session: SessionId, do: Callable[[Lane], T]) -> T:
        """The one way to change a lane. The session's queue is a copy of the lane's, made here alone;
        and the one who awaits a prompt gets its outcome."""
        lane = self.lane(session)
        done = do(lane)
        head, queue = self.get(session), tuple(lane.queue)
        if (queue, lane.held) != (head.queue, head.queue_held):
            self._hub.apply(session, [QueueSet(queue, lane.held)])
        self.outcomes.take(session, lane.take_news())
        return done
