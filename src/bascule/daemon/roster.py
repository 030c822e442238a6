"""Who is who: which session a thread belongs to, and each session's lane to its agent."""

from bascule.core.faults import CannotGoOn
from bascule.core.lane import Lane
from bascule.daemon.hub import Hub
from bascule.model.changes import QueueSet
from bascule.model.ids import RunId, SessionId, ThreadId
from bascule.model.session import Session


class SessionMissing(CannotGoOn):
    """No session of that id; the text says how to find the right one."""

    def __init__(self, session: str) -> None:
        super().__init__(f"There is no session {session}. `bascule sessions` lists them.")


class Roster:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._by_thread = {head.thread: head.id for head in hub.heads() if head.thread}
        self._left: set[ThreadId] = set()  # by clearing: their agent may still speak of them
        self._lanes: dict[SessionId, Lane] = {}

    def get(self, session: SessionId) -> Session:
        """The session without its blocks; it is in memory afterwards."""
        if self._hub.find(session) is None:
            raise SessionMissing(session)
        self._hub.load(session)
        found = self._hub.find(session)
        assert found is not None
        return found

    def latest_run(self, session: SessionId) -> RunId | None:
        """For what is only noted here: so that it keeps its place when the past is told anew."""
        runs = self.get(session).runs
        return runs[-1].id if runs else None

    def bind(self, thread: ThreadId, session: SessionId) -> None:
        self._by_thread[thread] = session

    def unbind(self, thread: ThreadId) -> None:
        self._by_thread.pop(thread, None)
        self._left.add(thread)

    def has_left(self, thread: ThreadId) -> bool:
        return thread in self._left

    def find_by_thread(self, thread: ThreadId) -> SessionId | None:
        return self._by_thread.get(thread)

    def lane(self, session: SessionId) -> Lane:
        lane = self._lanes.get(session)
        if lane is None:
            head = self.get(session)
            lane = Lane(head.queue, head.queue_held, self._hub.read_keys(session))
            self._lanes[session] = lane
        return lane

    def busy(self, workspace: str) -> list[SessionId]:
        """Sessions of a workspace whose agent is at work, or about to be."""
        return [id_ for id_, lane in self._lanes.items() if not lane.idle and self._in(id_, workspace)]

    def _in(self, session: SessionId, workspace: str) -> bool:
        head = self._hub.find(session)
        return head is not None and head.workspace == workspace

    def publish_queue(self, session: SessionId) -> None:
        """Show what waits, where it has changed."""
        lane, head = self.lane(session), self.get(session)
        queue = tuple(lane.queue)
        if (queue, lane.held) != (head.queue, head.queue_held):
            self._hub.apply(session, [QueueSet(queue, lane.held)])
