"""A session as it goes on, for a surface that knows events: whole messages, calls, results, run states."""

from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.events.block_events import is_about, is_finished
from bascule.core.events.run_events import NumberedEvent, RunEvents
from bascule.core.events.surface_text import fit
from bascule.core.session.fold import Fold
from bascule.model.asks import Ask
from bascule.model.blocks import AssistantBlock, Block, RemoteBlock, UserBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockPut,
    Change,
    Cleared,
    HistoryPut,
    RunPut,
    UsageSet,
)
from bascule.model.ids import BlockId, PromptKey, RunId
from bascule.model.protocol import runs as protocol
from bascule.model.session import Outcome, Run, Session, Usage

MAX_ENDED = 10_000  # runs whose end was sent; a session holds fewer
MAX_OWN = 1_000  # prompts of this surface that no run has taken up yet
MAX_WHY = 4_000  # bytes

END: dict[Outcome, protocol.RunState] = {
    "completed": "completed",
    "failed": "error",
    "interrupted": "cancelled",
}
NO_LONGER_THERE = "The session was cleared."


class RunState(Struct, frozen=True):
    run_id: str
    status: protocol.RunState
    message: str = ""


class ContextLeft(Struct, frozen=True):
    run_id: str
    percent: int  # a whole number: clients drop others


Message = NumberedEvent | RunState | ContextLeft


class OpenRun(Struct):
    """A run that has begun and not ended, as far as it was sent."""

    events: RunEvents
    status: protocol.RunState = "running"
    percent: int | None = None


class EventStream:
    """join() with a snapshot, feed() with Changes, join() again after falling behind.

    Runs that had ended when it first joined are history, which `replay` sends. What belongs to no run is sent
    in the current one, or not at all; nothing is sent of a run after its end."""

    def __init__(self, *, preflight: bool = False) -> None:
        self._preflight = preflight
        self._fold: Fold | None = None
        self._own: dict[str, None] = {}
        self._open_runs: dict[RunId, OpenRun] = {}
        self._ended: dict[RunId, None] = {}
        self._messages: list[Message] = []

    def own(self, key: PromptKey) -> None:
        """This surface shows that prompt by itself. Said before the prompt is sent."""
        self._own[key] = None
        forget_oldest(self._own, MAX_OWN)

    def join(self, session: Session) -> list[Message]:
        first, self._fold = self._fold is None, Fold(session)
        for lost in self._open_runs.keys() - {run.id for run in session.runs}:
            self._abandon(lost)
        last_known = self._place_of_last_known(session.runs)
        for place, run in enumerate(session.runs):
            is_past = run.outcome != "running" if first else place < last_known
            if is_past and run.id not in self._open_runs:
                self._forget(run.id)
            else:
                self._take_run(run, look=True)
        return self._take()

    def _place_of_last_known(self, runs: tuple[Run, ...]) -> int:
        known = [
            place for place, run in enumerate(runs) if run.id in self._ended or run.id in self._open_runs
        ]
        return known[-1] if known else -1

    def feed(self, changes: Iterable[Change]) -> list[Message]:
        assert self._fold is not None, "join() comes first"
        for change in changes:
            self._fold.apply(change)
            hear = HEAR.get(type(change))
            if hear is not None:
                hear(self, change)
        return self._take()

    def _take(self) -> list[Message]:
        messages, self._messages = self._messages, []
        return messages

    # -- one small method per Change that becomes events --

    def _on_block(self, change: BlockPut) -> None:
        block = self._mirror.find_block(change.block.id)
        open_run = self._open_run_for(block.run) if block else None
        if block is None or open_run is None or (block.run is None and isinstance(block, UserBlock)):
            return  # a prompt that the agent has not taken up yet
        self._tell(open_run, block, whole=True)

    def _on_run(self, change: RunPut) -> None:
        self._take_run(change.run, look=False)

    def _on_history(self, change: HistoryPut) -> None:
        for run in change.runs:
            if run.id in self._open_runs or run.outcome == "running":
                self._take_run(run, look=True)
            else:
                self._forget(run.id)

    def _on_ask(self, change: AskOpened) -> None:
        open_run = self._open_run_for(change.ask.run)
        if open_run is not None:
            self._announce(open_run, change.ask)
        self._settle_states()

    def _on_ask_closed(self, _change: AskClosed) -> None:
        self._settle_states()

    def _on_usage(self, change: UsageSet) -> None:
        for run, open_run in self._open_runs.items():
            self._measure(run, open_run, change.usage)

    def _on_cleared(self, _change: Cleared) -> None:
        for run in tuple(self._open_runs):
            self._abandon(run)

    # -- the life of a run --

    def _take_run(self, run: Run, *, look: bool) -> None:
        """`look`: blocks may have changed unheard, so all of them are looked at."""
        if run.id in self._ended:
            return
        if run.id not in self._open_runs:
            self._begin(run)
        elif look:
            self._look(run.id)
        if run.outcome != "running":
            self._end(run)

    def _begin(self, run: Run) -> None:
        self._open_runs[run.id] = OpenRun(RunEvents(run, own=self._own, say=self._say))
        self._say(RunState(run.id, "running"))
        self._look(run.id)

    def _look(self, run: RunId) -> None:
        open_run = self._open_runs[run]
        self._tell_blocks(run, open_run, whole=False)
        head = self._mirror.head()
        for ask in head.asks:
            if self._open_run_for(ask.run) is open_run:
                self._announce(open_run, ask)
        self._settle_states()
        if head.usage is not None:
            self._measure(run, open_run, head.usage)

    def _end(self, run: Run) -> None:
        open_run = self._open_runs[run.id]
        self._tell_blocks(run.id, open_run, whole=True)
        open_run.events.finish(run)
        self._close(run.id, END[run.outcome], run.why)

    def _abandon(self, run: RunId) -> None:
        self._close(run, "cancelled", NO_LONGER_THERE)

    def _close(self, run: RunId, status: protocol.RunState, why: str) -> None:
        del self._open_runs[run]
        self._forget(run)
        self._say(RunState(run, status, fit(why, MAX_WHY)))

    def _forget(self, run: RunId) -> None:
        """Nothing more of it is sent."""
        self._ended[run] = None
        forget_oldest(self._ended, MAX_ENDED)

    # -- what is true of the open runs --

    def _tell_blocks(self, run: RunId, open_run: OpenRun, *, whole: bool) -> None:
        for block_id in self._mirror.blocks_of(run):
            block = self._mirror.find_block(block_id)
            if block is not None:
                self._tell(open_run, block, whole=whole)

    def _tell(self, open_run: OpenRun, block: Block, *, whole: bool) -> None:
        speaks = isinstance(block, AssistantBlock) and is_finished(block)
        if speaks and not open_run.events.has_described(block):
            self._tell_cut_off(open_run.events, block.id)
        open_run.events.tell(block, whole=whole)
        if isinstance(block, UserBlock | RemoteBlock):
            self._own.pop(block.id, None)

    def _tell_cut_off(self, events: RunEvents, finished: BlockId) -> None:
        """An agent says one thing at a time: what it left off to say this is not finished any more."""
        for block_id in tuple(takewhile(lambda earlier: earlier != finished, events.unfinished)):
            block = self._mirror.find_block(block_id)
            del events.unfinished[block_id]
            if isinstance(block, AssistantBlock):
                events.tell(replace(block, status="cancelled"), whole=True)

    def _announce(self, open_run: OpenRun, ask: Ask) -> None:
        ids = self._mirror.blocks_of(ask.run) if ask.run else []
        blocks = (self._mirror.find_block(block_id) for block_id in reversed(ids))
        about = next((block for block in blocks if block and is_about(ask.subject, block)), None)
        open_run.events.ask(ask, about, preflight=self._preflight)

    def _settle_states(self) -> None:
        waiting = [self._open_run_for(ask.run) for ask in self._mirror.head().asks]
        for run, open_run in self._open_runs.items():
            status: protocol.RunState = (
                "awaiting_ui" if any(open_run is one for one in waiting) else "running"
            )
            if status != open_run.status:
                open_run.status = status
                self._say(RunState(run, status))

    def _measure(self, run: RunId, open_run: OpenRun, usage: Usage) -> None:
        percent = percent_left(usage)
        if percent is not None and percent != open_run.percent:
            open_run.percent = percent
            self._say(ContextLeft(run, percent))

    def _open_run_for(self, run: RunId | None) -> OpenRun | None:
        """Its own, or for what belongs to no run the one that began last."""
        if run is not None:
            return self._open_runs.get(run)
        return next(reversed(self._open_runs.values()), None)

    def _say(self, message: Message) -> None:
        self._messages.append(message)

    @property
    def _mirror(self) -> Fold:
        assert self._fold is not None, "join() comes first"
        return self._fold


HEAR: dict[type, Callable[[EventStream, Any], None]] = {
    BlockPut: EventStream._on_block,
    RunPut: EventStream._on_run,
    HistoryPut: EventStream._on_history,
    AskOpened: EventStream._on_ask,
    AskClosed: EventStream._on_ask_closed,
    UsageSet: EventStream._on_usage,
    Cleared: EventStream._on_cleared,
}


def percent_left(usage: Usage) -> int | None:
    if not usage.context_window:
        return None
    remaining = usage.context_window - usage.context_used
    return min(100, max(0, round(100 * remaining / usage.context_window)))
