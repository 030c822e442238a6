"""Test commands: parsed into words, matched against what is allowed, never handed to a shell."""

import shlex

from bascule.model.asks import Refuse

MAX_COMMAND = 2_000  # characters

# The first of these that a project has says how it is tested.
GUESSES: tuple[tuple[str, str], ...] = (
    ("pytest.ini", "pytest"),
    ("pyproject.toml", "pytest"),
    ("setup.py", "pytest"),
    ("Cargo.toml", "cargo test"),
    ("go.mod", "go test ./..."),
    ("package.json", "npm test"),
    ("Makefile", "make test"),
)


def guess_command(names: set[str]) -> str:
    """From the names in the project's folder; empty where nothing is known."""
    return next((command for name, command in GUESSES if name in names), "")


def parse_command(command: str, allowed: tuple[str, ...]) -> tuple[str, ...] | Refuse:
    """The words to run. Allowed means: it begins with all the words of a rule, not with its letters."""
    if not command.strip() or len(command) > MAX_COMMAND or "\0" in command:
        return Refuse(f"A test command has 1 to {MAX_COMMAND} characters, and no NUL.")
    try:
        words = tuple(shlex.split(command))
    except ValueError as broken:
        return Refuse(f"The command cannot be read: {broken}.")
    for rule in allowed:
        start = _rule_words(rule)
        if start and words[: len(start)] == start:
            return words
    return Refuse(
        f"{shlex.join(words)} is not among the test commands. Allowed are: {', '.join(allowed)}. "
        "Add it to testCommands in settings.toml."
    )


def _rule_words(rule: str) -> tuple[str, ...]:
    """No words where its quotes do not close: such a rule allows nothing."""
    try:
        return tuple(shlex.split(rule))
    except ValueError:
        return ()
