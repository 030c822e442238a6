"""A call that opens an Ask: the person here is asked about that one, and about no other."""

import asyncio
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from msgspec.structs import replace

from bascule.cli.terminal.confirmed_call import TOO_LONG, NoTerminal, call_and_answer
from bascule.cli.terminal.edit_confirmation import apply_here
from bascule.cli.terminal.yes_no import HOW
from bascule.host.processes.tasks import Tasks
from bascule.host.terminal import Terminal
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

    def __init__(self, tasks: Tasks, opened: Ask, result: object, *, yours: bool = True) -> None:
        self.tasks = tasks
        self.on_cards: Callable[[], None] = lambda: None
        self.looked = asyncio.Event()  # at the Asks, since one is open
        self._opened = opened
        self._yours = yours
        self._asks: tuple[WaitingAsk, ...] = ()
        self._result = result

    async def call(self, method: str, _params: object) -> Any:
        if method == "ask.list":
            if self._asks:
                self.looked.set()
            return AskList(asks=self._asks)
        if method == "session.watch":
            return None
        self._asks = (WaitingAsk(session_id="machine", title="", ask=self._opened, yours=self._yours),)
        self.on_cards()
        await self.looked.wait()
        return self._result


async def test_without_a_terminal_its_question_is_refused() -> None:
    async with Tasks() as tasks:
        link: Any = Link(tasks, OURS, "done")
        with pytest.raises(NoTerminal):
            await call_and_answer(link, None, "auth.logout", InspectParams())


@pytest.mark.parametrize("by", ["agent", "bascule"])
async def test_a_question_that_another_caused_meanwhile_is_left_to_others(by: Any) -> None:
    async with Tasks() as tasks:
        link: Any = Link(tasks, replace(OURS, by=by), "done", yours=False)
        assert await call_and_answer(link, None, "auth.logout", InspectParams()) == "done"


async def test_what_is_too_long_to_show_takes_no_key_here() -> None:
    """The call waits for another surface; a y typed here is not read."""
    screen = StringIO()
    async with Tasks() as tasks:
        link: Any = Link(tasks, replace(OURS, subject=ActionSubject(text="x" * 30_000)), "done")
        assert (
            await call_and_answer(link, Terminal(StringIO("y\n"), screen), "auth.logout", InspectParams())
            == "done"
        )
    assert (TOO_LONG in screen.getvalue(), HOW in screen.getvalue()) == (True, False)


@pytest.mark.parametrize("yours", [True, False])
async def test_an_edit_is_asked_about_by_who_caused_it(yours: bool) -> None:
    """Equal changes that another asks for are another question."""
    written = Written(status="ok", summary="1 file")
    prepared = Prepared(diff_id="diff_1", hash="a" * 64, files=(), preview="")
    async with Tasks() as tasks:
        ask = replace(OURS, subject=FilesSubject(files=()), plan="a" * 64)
        link: Any = Link(tasks, ask, written, yours=yours)
        if yours:
            with pytest.raises(NoTerminal):
                await apply_here(link, None, prepared, "/w")
        else:
            assert await apply_here(link, None, prepared, "/w") == written
