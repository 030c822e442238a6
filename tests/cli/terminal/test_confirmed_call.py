"""A call that opens an Ask: the person here is asked about that one, and about no other."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from bascule.cli.terminal.confirmed_call import NoTerminal, call_and_answer
from bascule.cli.terminal.edit_confirmation import apply_here
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import ActionSubject, Ask, Choice, FilesSubject
from bascule.model.ids import AskId
from bascule.model.protocol.edits import Prepared, Written
from bascule.model.protocol.setup import AskList, InspectParams, WaitingAsk

OURS = Ask(
    id=AskId("ask-1"),
    title="Sign out?",
    subject=ActionSubject(text="It does."),
    choices=(Choice(id="accept", label="Yes", grants=True),),
    by="bascule",
)


class Link:
    """A daemon in which one Ask opens as soon as something is called; the call ends when it is let."""

    def __init__(self, tasks: Tasks, opened: Ask, result: object) -> None:
        self.tasks = tasks
        self.on_cards: Callable[[], None] = lambda: None
        self.looked = asyncio.Event()  # at the Asks, since one is open
        self._opened = opened
        self._asks: tuple[WaitingAsk, ...] = ()
        self._result = result

    async def call(self, method: str, _params: object) -> Any:
        if method == "ask.list":
            if self._asks:
                self.looked.set()
            return AskList(asks=self._asks)
        if method == "session.watch":
            return None
        self._asks = (WaitingAsk(session_id="machine", title="", ask=self._opened),)
        self.on_cards()
        await self.looked.wait()
        return self._result


async def test_without_a_terminal_its_question_is_refused() -> None:
    async with Tasks() as tasks:
        link: Any = Link(tasks, OURS, "done")
        with pytest.raises(NoTerminal):
            await call_and_answer(link, None, "auth.logout", InspectParams())


async def test_an_agents_question_that_opens_meanwhile_is_left_to_others() -> None:
    async with Tasks() as tasks:
        link: Any = Link(tasks, replace(OURS, by="agent"), "done")
        assert await call_and_answer(link, None, "auth.logout", InspectParams()) == "done"


@pytest.mark.parametrize(("plan", "is_ours"), [("a" * 64, True), ("b" * 64, False)])
async def test_an_edit_is_asked_about_by_its_plan(plan: str, is_ours: bool) -> None:
    written = Written(status="ok", summary="1 file")
    prepared = Prepared(diff_id="diff_1", hash="a" * 64, files=(), preview="")
    async with Tasks() as tasks:
        link: Any = Link(tasks, replace(OURS, subject=FilesSubject(files=()), plan=plan), written)
        if is_ours:
            with pytest.raises(NoTerminal):
                await apply_here(link, None, prepared, "/w")
        else:
            assert await apply_here(link, None, prepared, "/w") == written
