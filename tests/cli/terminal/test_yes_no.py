"""y and n: what is neither is never taken for an answer."""

import pytest

from bascule.cli.terminal.yes_no import parse_yes_no


@pytest.mark.parametrize(
    ("said", "means"),
    [("y", True), (" YES ", True), ("n", False), ("no", False), ("", False), ("1", None), ("yy", None)],
)
def test_what_is_typed(said: str, means: bool | None) -> None:
    assert parse_yes_no(said) is means
