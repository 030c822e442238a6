"""One run as events, numbered from 0, none of them twice."""

from collections.abc import Callable, Container
from typing import Any

from msgspec import Struct

from bascule.core.events.block_events import (
    TOOLS,
    Event,
    Note,
    answer_text,
    approval_events,
    call_event,
    is_finished,
    note_text,
    plan_events,
    plan_text,
    result_event,
    user_text,
)
from bascule.core.events.surface_text import fit
from bascule.model.asks import Ask
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    DividerBlock,
    ErrorBlock,
    InfoBlock,
    PlanBlock,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
)
from bascule.model.ids import AskId, BlockId
from bascule.model.session import Run


class NumberedEvent(Struct, frozen=True):
    run_id: str
    seq: int
    event: Event


class RunEvents:
    """Given a run's blocks as often as they change; says what is new of each."""

    def __init__(self, run: Run, *, own: Container[str], say: Callable[[NumberedEvent], None]) -> None:
        self._run = run
        self._own = own
        self._say = say
        self._seq = 0
        self._done: set[BlockId] = set()
        self._called: set[BlockId] = set()
        self._latest: dict[BlockId, str] = {}  # of what may be sent again when it has changed
        self._plans = 0
        self._prompted = False
        self._asked: set[AskId] = set()
        self._answer = ""
        self._answered = False  # the answer is the last event
        self._held: list[Event] = []
        self.unfinished: dict[BlockId, None] = {}  # messages that the agent is in the middle of

    def tell(self, block: Block, *, whole: bool) -> None:
        """`whole`: the agent has sent all of it, as opposed to a look at what is still growing."""
        how = HOW.get(type(block), RunEvents._tool)
        if block.id not in self._done:
            how(self, block, whole)

    def has_described(self, block: Block) -> bool:
        """To its end."""
        return block.id in self._done

    def ask(self, ask: Ask, block: Block | None, *, preflight: bool) -> None:
        """What must be seen before the question is put."""
        if ask.id in self._asked:
            return
        self._asked.add(ask.id)
        if block is not None:
            self._call(block)
        if preflight:
            for event in approval_events(ask.subject, block.id if block else ask.id):
                self._put(event)

    def finish(self, run: Run) -> None:
        """A note that came after the answer is sent after `final`: a client hides a `final` that repeats
        the last text, and only that."""
        if run.outcome == "completed":
            held, self._held = self._held, []
            self._put({"type": "final", "content": self._answer})
            self._held = held
        self._release()

    # -- one small method per kind --

    def _user(self, block: UserBlock | RemoteBlock, _whole: bool) -> None:
        """A run has one prompt that began it: when the past is read again it may have another name."""
        self._done.add(block.id)
        began = isinstance(block, UserBlock) and not block.steered
        again, self._prompted = began and self._prompted, self._prompted or began
        if block.id not in self._own and not again:
            self._put({"type": "hidden_user_message", "content": user_text(block)})

    def _assistant(self, block: AssistantBlock, _whole: bool) -> None:
        if is_finished(block):
            self.unfinished.pop(block.id, None)
            self._done.add(block.id)
            self._speak(answer_text(block), block)
        else:
            self.unfinished[block.id] = None

    def _reasoning(self, block: ReasoningBlock, _whole: bool) -> None:
        if not is_finished(block):
            return
        self._done.add(block.id)
        thought = "\n\n".join(part for part in block.summary or block.raw if part)
        if thought.strip():
            self._put({"type": "reasoning", "content": fit(thought), "timestamp": self._time(block)})

    def _plan(self, block: PlanBlock, whole: bool) -> None:
        if not block.steps:
            if whole and block.text.strip():
                self._done.add(block.id)
                self._speak(block.text, block)
        elif self._is_news(block.id, plan_text(block)):
            self._plans += 1
            for event in plan_events(block, f"{block.id}#{self._plans}"):
                self._put(event)

    def _divider(self, block: DividerBlock, _whole: bool) -> None:
        self._done.add(block.id)
        at = self._time(block)
        self._put({"type": "compaction_start", "timestamp": at})
        self._put({"type": "compaction_complete", "timestamp": at, "compacted": True})

    def _note(self, block: Note, _whole: bool) -> None:
        if not is_finished(block) or (isinstance(block, SystemBlock) and block.debug):
            return
        text = note_text(block)
        if not text or not self._is_news(block.id, text):
            return
        event = {"type": "text", "content": text, "timestamp": self._time(block)}
        if self._answered and not isinstance(block, ErrorBlock):
            self._held.append(event)
        else:
            self._put(event)

    def _tool(self, block: Block, _whole: bool) -> None:
        finished = is_finished(block)
        if finished or TOOLS[type(block)].is_known(block):
            self._call(block)
        if finished:
            self._done.add(block.id)
            self._put(result_event(block))

    def _call(self, block: Block) -> None:
        if block.id not in self._called:
            self._called.add(block.id)
            self._put(call_event(block))

    # -- saying it --

    def _speak(self, text: str, block: Block) -> None:
        if text.strip():
            self._answer = fit(text)
            self._put({"type": "text", "content": self._answer, "timestamp": self._time(block)})
            self._answered = True

    def _put(self, event: Event) -> None:
        self._release()
        self._number(event)
        self._answered = False

    def _release(self) -> None:
        held, self._held = self._held, []
        for event in held:
            self._number(event)

    def _number(self, event: Event) -> None:
        self._say(NumberedEvent(self._run.id, self._seq, event))
        self._seq += 1

    def _is_news(self, block: BlockId, text: str) -> bool:
        known, self._latest[block] = self._latest.get(block), text
        return known != text

    def _time(self, block: Block) -> int:
        return block.at_ms or self._run.started_at_ms or 0


HOW: dict[type, Callable[[RunEvents, Any, bool], None]] = {
    UserBlock: RunEvents._user,
    RemoteBlock: RunEvents._user,
    AssistantBlock: RunEvents._assistant,
    ReasoningBlock: RunEvents._reasoning,
    PlanBlock: RunEvents._plan,
    DividerBlock: RunEvents._divider,
    InfoBlock: RunEvents._note,
    SystemBlock: RunEvents._note,
    ErrorBlock: RunEvents._note,
}
