"""An errand: what became of one prompt, read off its session as it changes."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from bascule.core.prompts.purposes import AGAIN_BLOCK, ANSWER_BLOCK, Purpose
from bascule.model.blocks import AssistantBlock, Block, ErrorBlock
from bascule.model.changes import BlockGone, BlockPut, Change, HistoryPut, RunPut
from bascule.model.ids import BlockId, PromptKey, RunId
from bascule.model.session import Run, Session


class ErrandEnd(Struct, frozen=True, kw_only=True):
    outcome: Literal["completed", "failed", "interrupted"]
    answer: Block | None = None  # what the agent said in the end; of a patch, what was made of it
    why: str = ""


class Errand:
    """begin() with the session as it is, feed() with its Changes; the first end that is given is the end."""

    def __init__(self, key: PromptKey, purpose: Purpose) -> None:
        self._key = BlockId(key)
        self._purpose = purpose
        self.is_shown = False  # the prompt stands in the log
        self._asked: RunId | None = None  # the run that it began
        self.run: RunId | None = None  # that one, or the second in which it was asked again
        self._answer: Block | None = None
        self._unsent = False

    def begin(self, session: Session) -> ErrandEnd | None:
        return self._take(session.blocks, session.runs)

    def feed(self, change: Change) -> ErrandEnd | None:
        match change:
            case BlockPut(block=block):
                return self._take((block,), ())
            case BlockGone(block=block) if block == self._key:
                self.is_shown, self._unsent = False, True
            case RunPut(run=run):
                return self._take((), (run,))
            case HistoryPut(blocks=blocks, runs=runs):
                return self._take(blocks, runs)
            case _:
                pass
        return None

    def _take(self, blocks: Iterable[Block], runs: Iterable[Run]) -> ErrandEnd | None:
        for block in blocks:
            if self._unsent and isinstance(block, ErrorBlock):
                return ErrandEnd(outcome="failed", why=block.text)
            self._see(block)
        ended = next((run for run in runs if run.id == self.run and run.outcome != "running"), None)
        return self._end(ended) if ended else None

    def _see(self, block: Block) -> None:
        if block.id == self._key:
            self.is_shown, self._unsent = True, False
            self._asked = self._asked or block.run
            self.run = self.run or block.run
        elif self._asked is None:
            return
        elif block.id == f"{AGAIN_BLOCK}{self._asked}" and block.run is not None:
            self.run = block.run
        elif block.id == f"{ANSWER_BLOCK}{self._asked}" or self._is_said(block):
            self._answer = block

    def _is_said(self, block: Block) -> bool:
        if self._purpose == "patch" or not isinstance(block, AssistantBlock) or block.run != self.run:
            return False
        earlier = self._answer
        return block.final or not (isinstance(earlier, AssistantBlock) and earlier.final)

    def _end(self, run: Run) -> ErrandEnd | None:
        """A patch whose run is over without an answer is being asked for once more."""
        assert run.outcome != "running"
        if run.outcome == "completed" and self._purpose == "patch" and self._answer is None:
            return None
        return ErrandEnd(outcome=run.outcome, answer=self._answer, why=run.why)
