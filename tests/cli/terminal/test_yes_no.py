"""y and n: what is neither is asked again, and never taken for an answer."""

import io
from collections import deque

import pytest

from bascule.cli.terminal.yes_no import MAX_TRIES, ask_yes_no, parse_yes_no


class Typed:
    def __init__(self, *lines: str) -> None:
        self._lines = deque(lines)
        self.screen = io.StringIO()

    def ask(self, question: str) -> str:
        self.screen.write(question)
        return self._lines.popleft()


@pytest.mark.parametrize(
    ("said", "means"),
    [("y", True), (" YES ", True), ("n", False), ("no", False), ("", False), ("1", None), ("yy", None)],
)
def test_what_is_typed(said: str, means: bool | None) -> None:
    assert parse_yes_no(said) is means


def test_it_is_asked_again() -> None:
    terminal = Typed("1", "ja", "y")
    assert ask_yes_no(terminal, "Write it?")  # type: ignore[arg-type]
    assert terminal.screen.getvalue() == "Write it? [y/n] Please type y or n: Please type y or n: "
    assert not ask_yes_no(Typed(*["1"] * (MAX_TRIES + 1)), "Write it?")  # type: ignore[arg-type]
