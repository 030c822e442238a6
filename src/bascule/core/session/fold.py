"""The fold: Changes in, a Session out. Every surface that mirrors a session folds the same way."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.session.growing_text import MAX_PARTS, GrowingText
from bascule.core.session.history import close_block, keep_missing, merge_history
from bascule.core.session.titles import KEEPS
from bascule.model.asks import Ask
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    FileChangeBlock,
    McpBlock,
    PlanBlock,
    ReasoningBlock,
    SystemBlock,
    UserBlock,
)
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockGone,
    BlockPut,
    CapabilitiesSet,
    Change,
    Cleared,
    DeletedSet,
    DiffSet,
    DriverSet,
    ElsewhereSet,
    Field,
    HiddenSet,
    HistoryPut,
    ModelSet,
    ParentSet,
    PlaceSet,
    QueueSet,
    RunPut,
    StatusSet,
    TextGrew,
    TheirRightsSet,
    TitleSet,
    UsageSet,
)
from bascule.model.ids import AskId, BlockId, RunId
from bascule.model.session import Run, Session

MAX_BLOCKS = 20_000  # of one session in memory; older ones stay with the agent
MAX_RUNS = 5_000

OTHER_EVENTS: Final = "Other events (debug)"

# The first delta may come before its block: these are the blocks it makes.
EMPTY: dict[Field, Callable[..., Block]] = {
    "text": AssistantBlock,
    "summary": ReasoningBlock,
    "raw": ReasoningBlock,
    "output": CommandBlock,
    "stdin": CommandBlock,
    "detail": FileChangeBlock,
    "progress": McpBlock,
    "plan": PlanBlock,
    "debug": partial(SystemBlock, title=OTHER_EVENTS, debug=True),
}
ATTRIBUTE: dict[Field, str] = {"plan": "text", "debug": "text"}  # others are named as their field
IN_PARTS: frozenset[str] = frozenset({"summary", "raw"})

Slot = tuple[str, int]  # the text's name in the block, and its part


class Fold:
    """One session's state: advanced by apply(), read by session()."""

    def __init__(self, session: Session, max_blocks: int = MAX_BLOCKS) -> None:
        self._max_blocks = max_blocks
        self._head = replace(session, blocks=(), runs=(), asks=())
        self._blocks: dict[BlockId, Block] = {block.id: block for block in session.blocks}
        self._runs: dict[RunId, Run] = {run.id: run for run in session.runs}
        self._brought_runs = False  # by the last history
        self._asks: dict[AskId, Ask] = {ask.id: ask for ask in session.asks}
        self._growing: dict[BlockId, dict[Slot, GrowingText]] = {}

    def apply(self, change: Change) -> None:
        APPLY[type(change)](self, change)

    def apply_all(self, changes: Iterable[Change]) -> None:
        for change in changes:
            APPLY[type(change)](self, change)

    def head(self) -> Session:
        """The session without its blocks: cheap, for lists and for storing."""
        return replace(self._head, runs=tuple(self._runs.values()), asks=tuple(self._asks.values()))

    def session(self) -> Session:
        for block in tuple(self._growing):
            self._settle(block)
        return replace(self.head(), blocks=tuple(self._blocks.values()))

    def find_block(self, block: BlockId) -> Block | None:
        self._settle(block)
        return self._blocks.get(block)

    def block_ids(self) -> tuple[BlockId, ...]:
        return tuple(self._blocks)

    def count_blocks(self) -> int:
        return len(self._blocks)

    def is_at_rest(self) -> bool:
        """Nobody is asked anything, and no agent is said to be at work."""
        return not self._asks and self._head.status not in ("working", "waiting_user")

    def find_last_prompt(self) -> str:
        blocks = reversed(self._blocks.values())
        return next((block.text for block in blocks if isinstance(block, UserBlock)), "")

    def blocks_of(self, run: RunId) -> list[BlockId]:
        return [block.id for block in self._blocks.values() if block.run == run]

    # -- one small method per Change --

    def _grow(self, change: TextGrew) -> None:
        slots = self._growing.get(change.block)
        if slots is None:
            slots = self._start_growing(change)
        part = min(change.part, MAX_PARTS - 1) if change.field in IN_PARTS else 0
        slot = (ATTRIBUTE.get(change.field, change.field), part)
        growing = slots.get(slot)
        if growing is None:
            growing = slots[slot] = GrowingText(_text_at(self._blocks[change.block], slot))
        growing.add(change.text)

    def _start_growing(self, change: TextGrew) -> dict[Slot, GrowingText]:
        if change.block not in self._blocks:
            self._add(EMPTY[change.field](id=change.block, run=change.run))
        return self._growing.setdefault(change.block, {})

    def _settle(self, block_id: BlockId) -> None:
        """Write what has grown into the block itself."""
        slots = self._growing.pop(block_id, None)
        block = self._blocks.get(block_id)
        if slots is None or block is None:
            return
        texts: dict[str, Any] = {}
        dropped = block.dropped
        for (name, part), growing in slots.items():
            text = growing.read()
            if not isinstance(getattr(block, name, None), tuple if name in IN_PARTS else str):
                continue  # an agent that gives two kinds of block one id: the first kind stands
            dropped += growing.dropped
            if name in IN_PARTS:
                texts[name] = _with_part(texts.get(name, getattr(block, name)), part, text)
            else:
                texts[name] = text
        self._blocks[block_id] = replace(block, dropped=dropped, **texts)

    def _put(self, change: BlockPut) -> None:
        """Deltas are courtesy: the whole block replaces them."""
        self._settle(change.block.id)
        if change.first and change.block.id not in self._blocks:
            self._blocks = {change.block.id: change.block, **self._blocks}
        self._add(keep_missing(self._blocks.get(change.block.id), change.block))

    def _add(self, block: Block) -> None:
        self._blocks[block.id] = block
        while len(self._blocks) > self._max_blocks:
            oldest = next(iter(self._blocks))
            self._gone(BlockGone(oldest))
            self._head = replace(self._head, dropped_blocks=self._head.dropped_blocks + 1)

    def _gone(self, change: BlockGone) -> None:
        self._growing.pop(change.block, None)
        self._blocks.pop(change.block, None)

    def _history(self, change: HistoryPut) -> None:
        """The agent's account of a block takes the place of ours; what only we have stays where it is."""
        for block in tuple(self._growing):
            self._settle(block)
        past = {run.id: self._keep_tokens(run) for run in change.runs}
        self._brought_runs = not change.older and any(run not in self._runs for run in past)
        blocks = merge_history(self._blocks.values(), change.blocks, past, older=change.older)
        kept = blocks[-self._max_blocks :]
        self._blocks = {block.id: block for block in kept}
        self._merge_runs(past, older=change.older)
        dropped = self._head.dropped_blocks + len(blocks) - len(kept)
        self._head = replace(self._head, earlier=change.earlier, dropped_blocks=dropped)

    def _keep_tokens(self, run: Run) -> Run:
        """An agent's history says what was done, not what it cost."""
        known = self._runs.get(run.id)
        return replace(run, tokens=known.tokens) if known and not run.tokens else run

    def _merge_runs(self, past: dict[RunId, Run], *, older: bool) -> None:
        rest = {name: run for name, run in self._runs.items() if name not in past}
        runs = {**past, **rest} if older else {**rest, **past}
        self._runs = dict(list(runs.items())[-MAX_RUNS:])

    def _run(self, change: RunPut) -> None:
        self._runs[change.run.id] = change.run
        if change.run.outcome != "running":
            self._end_open_blocks(change.run)
        forget_oldest(self._runs, MAX_RUNS)

    def _end_open_blocks(self, run: Run) -> None:
        """Nothing of an ended run is still in progress, whatever the agent left unsaid."""
        for block in tuple(self._blocks.values()):
            if block.run == run.id and getattr(block, "status", None) == "inProgress":
                self._settle(block.id)
                self._blocks[block.id] = close_block(self._blocks[block.id], {run.id: run})

    def _ask_opened(self, change: AskOpened) -> None:
        self._asks[change.ask.id] = change.ask

    def _ask_closed(self, change: AskClosed) -> None:
        self._asks.pop(change.ask, None)

    def _title(self, change: TitleSet) -> None:
        if change.by in KEEPS[self._head.title_by]:
            return
        self._head = replace(self._head, title=change.title, title_by=change.by)

    def _driver(self, change: DriverSet) -> None:
        self._head = replace(self._head, driver=change.driver)

    def _parent(self, change: ParentSet) -> None:
        self._head = replace(self._head, parent_thread=change.thread)

    def _elsewhere(self, change: ElsewhereSet) -> None:
        self._head = replace(self._head, elsewhere=change.elsewhere)

    def _their_rights(self, change: TheirRightsSet) -> None:
        there = self._head.elsewhere
        if there is not None and there.joined:
            there = replace(there, sandbox=change.sandbox, approvals=change.approvals)
            self._head = replace(self._head, elsewhere=there)

    def _cleared(self, change: Cleared) -> None:
        self._blocks, self._runs, self._asks, self._growing = {}, {}, {}, {}
        self._head = replace(
            self._head,
            thread=change.thread,
            status="unknown",
            usage=None,
            diff=None,
            earlier="",
            dropped_blocks=0,
        )

    def _status(self, change: StatusSet) -> None:
        self._head = replace(self._head, status=change.status)

    def _usage(self, change: UsageSet) -> None:
        self._head = replace(self._head, usage=change.usage)

    def _diff(self, change: DiffSet) -> None:
        self._head = replace(self._head, diff=change.diff)

    def _queue(self, change: QueueSet) -> None:
        self._head = replace(self._head, queue=change.queue, queue_held=change.held)

    def _model(self, change: ModelSet) -> None:
        self._head = replace(self._head, model=change.model, effort=change.effort)

    def _capabilities(self, change: CapabilitiesSet) -> None:
        self._head = replace(self._head, capabilities=change.capabilities)

    def _hidden(self, change: HiddenSet) -> None:
        self._head = replace(self._head, hidden=change.hidden)

    def _place(self, change: PlaceSet) -> None:
        self._head = replace(self._head, place=change.place)

    def _deleted(self, change: DeletedSet) -> None:
        self._head = replace(self._head, deleted_at_ms=change.at_ms)

    def touch_after(self, change: Change, now_ms: int) -> None:
        """Where a list shows it is nothing that happened in it, nor is what opening it again brings."""
        match change:
            case HiddenSet() | PlaceSet() | UsageSet() | BlockGone():
                return
            case HistoryPut() if not self._brought_runs:
                return
            case _:
                self.touch(now_ms)

    def touch(self, now_ms: int) -> None:
        """When it last changed: by the owner's clock, not by a Change."""
        self._head = replace(self._head, updated_at_ms=now_ms)


APPLY: dict[type, Callable[[Fold, Any], None]] = {
    TextGrew: Fold._grow,
    BlockPut: Fold._put,
    BlockGone: Fold._gone,
    HistoryPut: Fold._history,
    StatusSet: Fold._status,
    TitleSet: Fold._title,
    UsageSet: Fold._usage,
    DiffSet: Fold._diff,
    RunPut: Fold._run,
    AskOpened: Fold._ask_opened,
    AskClosed: Fold._ask_closed,
    QueueSet: Fold._queue,
    ModelSet: Fold._model,
    CapabilitiesSet: Fold._capabilities,
    HiddenSet: Fold._hidden,
    PlaceSet: Fold._place,
    DeletedSet: Fold._deleted,
    DriverSet: Fold._driver,
    ParentSet: Fold._parent,
    ElsewhereSet: Fold._elsewhere,
    TheirRightsSet: Fold._their_rights,
    Cleared: Fold._cleared,
}


def _text_at(block: Block, slot: Slot) -> str:
    name, part = slot
    value: str | tuple[str, ...] = getattr(block, name, "")
    if isinstance(value, str):
        return value
    return value[part] if part < len(value) else ""


def _with_part(parts: tuple[str, ...], part: int, text: str) -> tuple[str, ...]:
    padded = parts + ("",) * (part + 1 - len(parts))
    return (*padded[:part], text, *padded[part + 1 :])
