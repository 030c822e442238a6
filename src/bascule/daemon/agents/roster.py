"""Who is who: which session a thread belongs to, and each session's lane to its agent."""

from bascule.core.faults import UserError
from bascule.core.prompts.prompt_lane import MAX_ENDED, Lane
from bascule.daemon.sessions.hub import Hub
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.audit import Remote
from bascule.model.changes import QueueSet
from bascule.model.ids import RunId, SessionId, ThreadId
from bascule.model.session import Session


class SessionMissing(UserError):
    """No session of that id; the text says how to find the right one."""

    def __init__(self, session: str) -> None:
        super().__init__(f"There is no session {session}. `bascule sessions` lists them.")


class Roster:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._by_thread = {head.thread: head.id for head in hub.heads() if head.thread}
        self._left: set[ThreadId] = set()  # by clearing: their agent may still speak of them
        self._lanes: dict[SessionId, Lane] = {}
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

    async def open(self, session: SessionId) -> Session:
        """As `get`; its log and its lane are in memory afterwards."""
        self.get(session)
        await self._hub.load(session)
        return self.get(session)

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
            ended = [run.id for run in head.runs[-MAX_ENDED:] if run.outcome != "running"]
            lane = Lane(head.queue, head.queue_held, self._hub.read_keys(session), ended)
            self._lanes[session] = lane
        return lane

    def is_idle(self, session: SessionId) -> bool:
        """Its agent is not at work. One without a lane was not used yet, or not for a while."""
        lane = self._lanes.get(session)
        return lane is None or lane.idle

    def find_sender(self, session: SessionId) -> Remote | None:
        """Of the Order that its present run is for."""
        lane = self._lanes.get(session)
        return lane.sender if lane is not None else None

    def _forget_lane(self, session: SessionId) -> None:
        """It left memory at rest: its head has the queue, the store has the keys.

        Only the lane knows for whom an Order's run was, and a helper of that run may ask later."""
        if self.find_sender(session) is None:
            self._lanes.pop(session, None)

    def busy(self, workspace: str) -> list[SessionId]:
        """Sessions of a workspace whose agent is at work, or about to be."""
        return [id_ for id_, lane in self._lanes.items() if not lane.idle and self._in(id_, workspace)]

    def is_needed(self, workspace: str) -> bool:
        """Its agent is at work, a person is asked something, or prompts wait."""
        if self.busy(workspace):
            return True
        heads = (head for head in self._hub.heads() if head.workspace == workspace)
        return any(head.asks or head.queue for head in heads)

    def _in(self, session: SessionId, workspace: str) -> bool:
        head = self._hub.find(session)
        return head is not None and head.workspace == workspace

    def publish_queue(self, session: SessionId) -> None:
        """Show what waits, where it has changed."""
        lane, head = self.lane(session), self.get(session)
        queue = tuple(lane.queue)
        if (queue, lane.held) != (head.queue, head.queue_held):
            self._hub.apply(session, [QueueSet(queue, lane.held)])
