"""The outcome of each prompt, awaited by the one who submitted it."""

import asyncio
from collections.abc import Iterable

from bascule.core.bounded import forget_oldest
from bascule.core.prompts.prompt_outcome import Began, PromptEnd, PromptNews
from bascule.model.ids import PromptKey, RunId, SessionId

MAX_KEPT = 1_000  # a prompt that is sent again has the same outcome


class PromptOutcome:
    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._began: asyncio.Future[RunId | PromptEnd] = loop.create_future()
        self._ended: asyncio.Future[PromptEnd] = loop.create_future()

    @property
    def is_over(self) -> bool:
        return self._ended.done()

    async def began(self) -> RunId | PromptEnd:
        """The run that has its words; its end where it never got that far."""
        return await asyncio.shield(self._began)

    async def ended(self) -> PromptEnd:
        return await asyncio.shield(self._ended)

    def begin(self, run: RunId) -> None:
        if not self._began.done():  # steered in vain, it may begin a run of its own later
            self._began.set_result(run)

    def end(self, end: PromptEnd) -> None:
        if not self._began.done():
            self._began.set_result(end if end.run is None else end.run)
        if not self._ended.done():
            self._ended.set_result(end)


class PromptOutcomes:
    def __init__(self) -> None:
        self._known: dict[tuple[SessionId, PromptKey], PromptOutcome] = {}

    def open(self, session: SessionId, key: PromptKey) -> PromptOutcome:
        """Of a prompt that was submitted just now."""
        outcome = self._known[session, key] = PromptOutcome()
        forget_oldest(self._known, MAX_KEPT, lambda outcome: outcome.is_over)
        return outcome

    def find(self, session: SessionId, key: PromptKey) -> PromptOutcome | None:
        """None where it was submitted in another life of ours, or is long over."""
        return self._known.get((session, key))

    def take(self, session: SessionId, news: Iterable[PromptNews]) -> None:
        for one in news:
            outcome = self._known.get((session, one.key))
            if outcome is None or (outcome.is_over and isinstance(one, Began)):
                outcome = self.open(session, one.key)  # it waited in the queue, and now it is sent after all
            if isinstance(one, Began):
                outcome.begin(one.run)
            else:
                outcome.end(one.end)
