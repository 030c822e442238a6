"""The agent in an Order's run: what it may ask here, what is declined by itself, and what stops the order."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.core.settings.reading import SettingsRefused
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record
from bascule.daemon.orders.order_guard import OrderGuard
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Ask, Choice, CommandSubject
from bascule.model.blocks import Block, CommandBlock, McpBlock, WebSearchBlock
from bascule.model.changes import AskClosed, AskOpened, BlockPut, TextGrew
from bascule.model.consent.audit import Remote
from bascule.model.ids import AskId, BlockId
from bascule.model.settings import OrderCommands, OrdersSettings, Settings

ANN = Remote(user="ann", command_id="c-1")
ASK = Ask(
    id=AskId("a"),
    title="Run this?",
    subject=CommandSubject(command="make", original="make", cwd="/w"),
    choices=(
        Choice(id="yes", label="Yes", grants=True),
        Choice(id="always", label="Always", grants=True, lasts="always"),
        Choice(id="no", label="No", grants=False),
    ),
)
MAKE = CommandBlock(id=BlockId("b"), command="make", original="make", cwd="/w", status="inProgress")
RAN = replace(MAKE, status="completed", exit_code=0)


class Guarded:
    """One Order's run, as the guard sees it; `commands` is what the settings allow."""

    def __init__(self, root: Path, roster: Roster) -> None:
        self.commands: OrderCommands | None = "ask"
        self.stopped = 0
        self._root = root
        self._record = Record(root, lambda: NOW_MS)
        self.guard = OrderGuard(roster=roster, record=self._record, settings=self._settings)
        self.guard.interrupt = lambda _session: self._stop()

    def _settings(self, _workspace: str) -> Settings:
        if self.commands is None:
            raise SettingsRefused([])
        return Settings(orders=OrdersSettings(commands=self.commands))

    def _stop(self) -> None:
        self.stopped += 1

    def ask(self) -> tuple[list[str], bool]:
        """The choices that a person is left with, and whether the Ask is declined at once."""
        taken = self.guard.take(ONE, ANN, AskOpened(ASK))
        assert isinstance(taken.change, AskOpened)
        assert taken.change.ask.sender == ANN
        return [choice.id for choice in taken.change.ask.choices], taken.declined is not None

    def answer(self, choice: str) -> None:
        self.guard.take(ONE, ANN, AskClosed(ASK.id, "answered", choice=choice))

    def see(self, *blocks: Block) -> None:
        for block in blocks:
            self.guard.take(ONE, ANN, BlockPut(block))

    async def recorded(self) -> list[tuple[str, str, str]]:
        await self._record.close()
        entries = [line.entry for line in Audit(audit_in(self._root)).last(9)]
        return [(entry.asked, entry.answer, entry.outcome) for entry in entries]


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Guarded]:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
        yield Guarded(tmp_path, Roster(hub))


@pytest.mark.parametrize(
    ("commands", "choices", "is_declined"),
    [
        ("ask", ["yes", "no"], False),
        ("read-only", ["no"], True),
        ("deny", ["no"], True),
        (None, ["no"], True),
    ],
    ids=["ask", "read-only", "deny", "unreadable settings"],
)
async def test_a_command_is_asked_once_at_most_and_only_where_the_settings_say_so(
    run: Guarded, commands: OrderCommands | None, choices: list[str], is_declined: bool
) -> None:
    run.commands = commands
    assert run.ask() == (choices, is_declined)


async def test_a_command_with_a_yes_runs_once_and_is_recorded_with_its_end(run: Guarded) -> None:
    run.ask()
    run.answer("yes")
    run.see(MAKE)
    run.guard.take(ONE, ANN, TextGrew(MAKE.id, "output", "built"))
    run.see(RAN)
    assert (run.stopped, run.guard.take_breach(ONE)) == (0, "")
    run.see(replace(RAN, id=BlockId("again")))  # the same command, which nobody was asked about
    assert run.stopped == 1
    assert run.guard.take_breach(ONE).startswith("The agent ran make without asking")
    assert run.guard.take_breach(ONE) == ""
    assert await run.recorded() == [
        ("make", "yes", "started"),
        ("make", "yes", "done"),
        ("make", "none", "done"),
    ]


async def test_a_no_grants_nothing(run: Guarded) -> None:
    run.ask()
    run.answer("no")
    run.see(MAKE, RAN)
    assert run.stopped == 1
    assert await run.recorded() == [("make", "none", "done")]


CALLED = McpBlock(id=BlockId("m"), server="mail", tool="send", status="completed")
SEARCHED = WebSearchBlock(id=BlockId("w"), query="keys", status="completed")


@pytest.mark.parametrize(
    ("block", "did", "outcome"),
    [
        (RAN, "make", "done"),
        (replace(RAN, status="failed", exit_code=2), "make", "failed"),
        (CALLED, "called send of mail", "done"),
        (replace(CALLED, status="failed"), "called send of mail", "failed"),
        (replace(CALLED, status="cancelled"), "called send of mail", "cancelled"),
        (SEARCHED, "searched the web for keys", "done"),
        (replace(SEARCHED, status="failed"), "searched the web for keys", "failed"),
    ],
    ids=["command", "failed command", "MCP", "failed MCP", "stopped MCP", "web", "failed web"],
)
@pytest.mark.parametrize(("commands", "stopped"), [("ask", 1), ("deny", 1), ("read-only", 0)])
async def test_what_ran_unasked_is_recorded_and_stops_the_order_unless_reading_is_allowed(
    run: Guarded, commands: OrderCommands, stopped: int, block: Block, did: str, outcome: str
) -> None:
    run.commands = commands
    run.see(block, block)
    assert run.stopped == stopped
    assert await run.recorded() == [(did, "none", outcome)]


async def test_a_call_that_was_refused_or_goes_on_is_not_recorded_as_done(run: Guarded) -> None:
    run.see(replace(CALLED, status="declined"), replace(CALLED, id=BlockId("n"), status="inProgress"))
    assert run.stopped == 0
    assert await run.recorded() == []
