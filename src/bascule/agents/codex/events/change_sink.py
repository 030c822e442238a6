"""What translators write to: the Changes of this batch, and what they remember of each thread."""

from collections.abc import Callable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.agents.driver import FolderRules, ThreadChanges
from bascule.core.bounded import forget_oldest
from bascule.core.session.fold import OTHER_EVENTS
from bascule.core.session.growing_text import clip
from bascule.model.asks import Answer
from bascule.model.blocks import FileChangeBlock, InfoBlock, SystemBlock
from bascule.model.changes import AgentChange, BlockPut, Change, Field, NoticePut, StatusSet, TextGrew
from bascule.model.ids import AskId, BlockId, RunId, ThreadId
from bascule.model.said import Said
from bascule.model.session import Status

MAX_VIEWS = 2_000  # threads remembered on one wire; the first idle one goes first
MAX_NOTED = 4_000  # characters of one payload under "Other events (debug)"
MAX_NOTED_BY_AGENT = 40_000
MAX_CONNECTED = 1_000  # MCP servers remembered


class PendingAsk(Struct, frozen=True):
    """A request of Codex that waits for its answer, and how an answer is spelt."""

    id: AskId
    reply: Callable[[Answer], object]
    item: BlockId  # that it is about; empty: none


class ThreadView:
    """One thread, as far as translating its next message needs it."""

    def __init__(self, thread: ThreadId) -> None:
        self.thread = thread
        self.cwd = ""
        self.rules: FolderRules | None = None  # what the thread was loaded with
        self.instructions = ""  # of the folder, to be said with the next prompt
        self.loaded = False  # the server has it in memory: it may be prompted without a resume
        self.approvals = ""  # those of the last turn that was begun here
        self.run: RunId | None = None
        self.working = False
        self.status: Status | None = None  # as it was last sent
        self.run_started_ms: int | None = None
        self.diff = ""
        self.asks: dict[int | str, PendingAsk] = {}  # by the id of Codex's request
        self.sent_items: set[str] = set()  # of this run, by the v2 wire: legacy ones repeat them
        self.commands: set[str] = set()  # items of this run that are commands
        self.changes: dict[str, FileChangeBlock] = {}  # of this run, for approvals and diffs
        self.prompted = False  # the first user message of a run began it; later ones were steered into it
        self.compacted = 0  # compaction items not yet matched by a thread/compacted
        self.tokens_before: int | None = None  # spent before this run; known with its first request
        self.tokens = 0  # spent by this run

    def begin_run(self, run: RunId, started_ms: int | None) -> None:
        self.run, self.run_started_ms, self.working = run, started_ms, True
        self.sent_items, self.commands, self.changes = set(), set(), {}
        self.compacted, self.prompted = 0, False
        self.tokens_before, self.tokens = None, 0

    def count_tokens(self, total: int, last: int) -> None:
        """Of all requests so far, and of the last one."""
        if self.tokens_before is None:
            self.tokens_before = total - last
        self.tokens = max(0, total - self.tokens_before)


class ChangeSink:
    def __init__(self) -> None:
        self.at_ms: int | None = None  # when the message at hand was emitted
        self.connected: dict[str, int] = {}  # MCP servers, and when they were last seen to answer
        self._views: dict[ThreadId, ThreadView] = {}
        self._entries: list[ThreadChanges] = []
        self._agent: list[AgentChange] = []
        self._noted_by_agent = SystemBlock(
            id=BlockId("other-events"), title=OTHER_EVENTS, debug=True, said=Said("other.events")
        )
        self._noted_at: int | None = None  # its place among this batch's changes
        self._growing: tuple[str, str, Field, int] | None = None
        self._growing_run: RunId | None = None
        self.pieces: list[str] = []  # of the text that grows: more of the same place may be added

    def view(self, thread: str) -> ThreadView:
        view = self._views.get(ThreadId(thread))
        if view is None:
            view = self._views[ThreadId(thread)] = ThreadView(ThreadId(thread))
            self._forget_silent()
        return view

    def views(self) -> list[ThreadView]:
        return list(self._views.values())

    def put(self, thread: str, *changes: Change) -> None:
        if self._growing is not None:
            self._finish_growing()
        if self._entries and self._entries[-1][0] == thread:
            self._entries[-1][1].extend(changes)
        else:
            self._entries.append((ThreadId(thread), list(changes)))

    def grow(
        self, thread: str, block: str, field: Field, text: str, part: int = 0, run: str | None = None
    ) -> None:
        """Neighbouring deltas become one Change: the batch costs as much as its text, not as its lines."""
        key = (thread, block, field, part)
        if key != self._growing:
            if self._growing is not None:
                self._finish_growing()
            self._growing = key
            self._growing_run = RunId(run) if run else None
        self.pieces.append(text)

    def agent(self, *changes: AgentChange) -> None:
        self._agent.extend(changes)

    def notice(self, block: InfoBlock) -> None:
        self.agent(NoticePut(block))

    def saw_connected(self, server: str, at_ms: int) -> None:
        self.connected.pop(server, None)
        self.connected[server] = at_ms
        forget_oldest(self.connected, MAX_CONNECTED)

    def note(self, thread: str | None, method: str, payload: object) -> None:
        """Nothing vanishes: what has no place of its own is shown under "Other events (debug)"."""
        line = f"{method} {readable(payload)}\n"
        if thread is not None:
            run = self.view(thread).run
            self.grow(thread, f"other-events:{run or 'session'}", "debug", line, run=run)
            return
        text, dropped = clip(self._noted_by_agent.text + line, MAX_NOTED_BY_AGENT)
        self._noted_by_agent = replace(
            self._noted_by_agent, text=text, dropped=self._noted_by_agent.dropped + dropped
        )
        if self._noted_at is None:
            self._noted_at = len(self._agent)
            self.agent(NoticePut(self._noted_by_agent))

    def put_status(self, view: ThreadView, status: Status) -> None:
        """Several messages say the same: only a new status is a Change."""
        if status != view.status:
            view.status = status
            self.put(view.thread, StatusSet(status))

    def put_changes_block(self, view: ThreadView, block: FileChangeBlock) -> None:
        view.changes[block.id] = block
        self.put(view.thread, BlockPut(block))

    def take(self) -> tuple[list[ThreadChanges], list[AgentChange]]:
        """All that this batch changed, in wire order."""
        if self._growing is not None:
            self._finish_growing()
        if self._noted_at is not None:
            self._agent[self._noted_at] = NoticePut(self._noted_by_agent)
        entries, agent = self._entries, self._agent
        self._entries, self._agent, self._noted_at = [], [], None
        return entries, agent

    def _finish_growing(self) -> None:
        assert self._growing is not None
        (thread, block, field, part), text = self._growing, "".join(self.pieces)
        self._growing, self.pieces = None, []
        self.put(thread, TextGrew(BlockId(block), field, text, part, self._growing_run))

    def _forget_silent(self) -> None:
        if len(self._views) <= MAX_VIEWS:
            return
        idle = next((name for name, view in self._views.items() if not view.working and not view.asks), None)
        if idle is not None:
            del self._views[idle]


def readable(payload: object) -> str:
    """A payload as a person may read it, no longer than it helps."""
    if isinstance(payload, str):
        text = payload
    elif isinstance(payload, msgspec.Raw):
        text = bytes(payload).decode("utf-8", "replace")
    else:
        text = msgspec.json.encode(payload).decode()
    return (
        text if len(text) <= MAX_NOTED else f"{text[:MAX_NOTED]}… ({len(text) - MAX_NOTED} more characters)"
    )
