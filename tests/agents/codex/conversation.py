"""Codex's side of a call, in a test's hands."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.agents.codex.listening import Json, Listener, dump

from bascule.agents.driver import (
    Confinement,
    FolderRules,
)
from bascule.model.ids import ThreadId

T = TypeVar("T")
THREAD = ThreadId("t")
RULES = FolderRules(folders=("/w",), skills=("/w/.codex/skills/x/SKILL.md",), readable=("/usr", "/w"))
CONFINED = Confinement("on-request", RULES)


async def settle() -> None:
    """Let every task that can go on go on."""
    for _ in range(5):
        await asyncio.sleep(0)


class Conversation(Listener):
    """Codex's side of a call: it is awaited, heard, and answered."""

    def __init__(self) -> None:
        self.pauses: list[int] = []
        self.on_pause: Callable[[], None] = lambda: None
        super().__init__(pause=self._pause)

    async def _pause(self, attempt: int) -> None:
        self.pauses.append(attempt)
        self.on_pause()

    async def during(self, call: Awaitable[T], *answers: Json) -> T:
        """The call's outcome, when it is answered with these, one after the other."""
        outcome, _ = await asyncio.gather(call, self._answer(answers))
        return outcome

    async def _answer(self, answers: tuple[Json, ...]) -> None:
        for answer in answers:
            await settle()
            self.feed(dump({"id": self.said[-1]["id"], **answer}))

    async def hear(self, *lines: bytes) -> None:
        """What arrives while calls are waiting."""
        await settle()
        self.feed(*lines)
