"""`bascule orders` at a terminal: where the questions appear that this pipe can't answer."""

import sys
from pathlib import Path

from tests.cli.pty_terminal import Terminal


def test_at_a_terminal_it_says_where_its_questions_are_answered(tmp_path: Path) -> None:
    environ = {"BASCULE_HOME": str(tmp_path / "home")}
    screen = Terminal([sys.executable, "-m", "bascule", "orders"], environ, tmp_path)
    try:
        screen.until("What needs your yes is asked on the page")
        screen.type("\x04")
        assert screen.end() == 0
    finally:
        screen.close()
