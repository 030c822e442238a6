"""The line under a conversation in a terminal, from its first word to its end."""

import io

import pytest
from rich.console import Console

from bascule.cli.terminal.printer import Printer
from bascule.model.changes import RunPut, StatusSet
from bascule.model.ids import RunId, SessionId
from bascule.model.session import Outcome, Run, Session


@pytest.mark.parametrize(
    ("outcome", "declined"), [("completed", False), ("interrupted", False), ("interrupted", True)]
)
def test_the_line_of_what_goes_on_ends_with_it(outcome: Outcome, declined: bool) -> None:
    """A line that stays says how it ended, whichever of its news comes first."""
    screen = io.StringIO()
    printer = Printer(Console(file=screen, force_terminal=True, width=80))
    printer.start(Session(id=SessionId("s"), workspace="/srv/project"), known=False)
    run = Run(id=RunId("r"), outcome="running", started_at_ms=1)
    printer.take([RunPut(run), StatusSet("working")])
    assert "working  Ctrl+C stops" in screen.getvalue()
    screen.truncate(0)
    printer.take([StatusSet("completed")])
    printer.take([RunPut(Run(id=run.id, outcome=outcome, started_at_ms=1, declined=declined))])
    printer.finish()
    assert "completed" not in screen.getvalue()
    assert "done" not in screen.getvalue()
    assert "Ctrl+C" not in screen.getvalue()
