"""Test commands: allowed by their words, guessed from the project, never read by a shell."""

import pytest

from bascule.core.commands.testing import guess_command, parse_command
from bascule.model.asks import Refuse

ALLOWED = ("pytest", "npm test", "python -m unittest")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("pytest", ("pytest",)),
        ("pytest -q 'tests/a b.py'", ("pytest", "-q", "tests/a b.py")),
        ("npm test -- --watch=false", ("npm", "test", "--", "--watch=false")),
        ("pytest; rm -rf /", ("pytest;", "rm", "-rf", "/")),
    ],
)
def test_an_allowed_command_becomes_its_words(command: str, words: tuple[str, ...]) -> None:
    parsed = parse_command(command, (*ALLOWED, "pytest;"))
    assert parsed == words


@pytest.mark.parametrize(
    "command",
    [
        "",
        "   ",
        "rm -rf /",
        "pytestx",
        "pytest; rm -rf /",
        "npm",
        "npm run evil",
        "python -m",
        "'unbalanced",
        "a\0b",
    ],
)
def test_anything_else_is_refused(command: str) -> None:
    assert isinstance(parse_command(command, ALLOWED), Refuse)


def test_a_rule_is_words_and_not_letters() -> None:
    refused = parse_command("pytest-evil", ALLOWED)
    assert isinstance(refused, Refuse)
    assert "is not among the test commands" in refused.why


def test_a_rule_that_cannot_be_read_allows_nothing_and_bars_no_other() -> None:
    assert parse_command("pytest -q", ("it's", "", "pytest")) == ("pytest", "-q")
    assert isinstance(parse_command("it", ("it's", "")), Refuse)


@pytest.mark.parametrize(
    ("names", "command"),
    [
        ({"pyproject.toml", "package.json"}, "pytest"),
        ({"package.json"}, "npm test"),
        ({"Cargo.toml"}, "cargo test"),
        ({"go.mod"}, "go test ./..."),
        ({"Makefile"}, "make test"),
        ({"README.md"}, ""),
    ],
)
def test_a_project_says_by_its_files_how_it_is_tested(names: set[str], command: str) -> None:
    assert guess_command(names) == command
