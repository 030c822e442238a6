"""How a session stands, in words."""

import pytest

from bascule.cli.terminal.status_words import count, end_of, status_word
from bascule.model.ids import RunId, SessionId
from bascule.model.session import Outcome, Run, Session, Status


@pytest.mark.parametrize(
    ("status", "outcome", "word"),
    [
        ("working", "running", "working"),
        ("waiting_user", "running", "waits for you"),
        ("completed", "completed", "done"),
        ("completed", "failed", "failed"),
        ("completed", "interrupted", "interrupted"),
        ("stopped", "completed", "failed"),
    ],
)
def test_only_what_was_done_is_called_done(status: Status, outcome: Outcome, word: str) -> None:
    runs = (Run(id=RunId("r"), outcome=outcome),)
    assert status_word(Session(id=SessionId("s"), workspace="/w", status=status, runs=runs)) == word


def test_a_session_without_a_run_is_new() -> None:
    assert status_word(Session(id=SessionId("s"), workspace="/w")) == "new"


def test_the_end_of_a_run_that_is_not_done_is_said() -> None:
    run = Run(id=RunId("r"), outcome="interrupted")
    assert end_of(run) == "Interrupted."
    assert end_of(Run(id=RunId("r"), outcome="interrupted", declined=True)).startswith("You declined")
    assert end_of(Run(id=RunId("r"), outcome="failed", why="No model.")) == "The run failed: No model."
    assert end_of(Run(id=RunId("r"), outcome="completed")) == ""


def test_one_is_not_many() -> None:
    assert (count(1, "run"), count(2, "run"), count(0, "run")) == ("1 run", "2 runs", "0 runs")
