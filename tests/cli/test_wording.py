"""Texts on a terminal: broken between words, with commands that can be typed as they are."""

import argparse
import io
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from bascule.cli import VERBS, import_verb, main
from bascule.cli.sessions.demo import _afterwards
from bascule.cli.wording import DEMO_VERBS, as_started, fit

PLAIN = {"demo", "replay", "down", "status", "doctor", "logs", "runtime", "selftest"}  # need no examples
WITH_EXAMPLES = {*VERBS} - PLAIN
HINT = "Run `bascule undo last`, or bascule up. See the bascule handbook."


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def off_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_command_is_named_as_it_was_started(off_path: Path) -> None:
    started = str(off_path / ".venv" / "bin" / "bascule")
    assert as_started(HINT, tuple(VERBS), [started, "ask"]) == (
        "Run `.venv/bin/bascule undo last`, or .venv/bin/bascule up. See the bascule handbook."
    )
    elsewhere = str(off_path.parent / "there" / "bascule")
    assert as_started("bascule up", tuple(VERBS), [elsewhere]) == f"{elsewhere} up"


def test_on_path_it_is_named_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: "/usr/bin/bascule")
    assert as_started(HINT, tuple(VERBS), ["/usr/bin/bascule", "ask"]) == HINT


def test_in_the_demo_commands_are_those_of_the_demo(off_path: Path) -> None:
    for argv in (["bascule", "ask", "--demo"], ["bascule", "demo"]):
        shown = as_started("Run `bascule undo last` or `bascule doctor`.", tuple(VERBS), argv)
        assert shown == "Run `bascule undo --demo last` or `bascule doctor`."
        assert as_started("`bascule ask --demo x`", tuple(VERBS), argv) == "`bascule ask --demo x`"


def test_every_command_with_data_of_its_own_in_the_demo_is_named_with_the_option() -> None:
    """The relay's option is a demo of its own."""
    verbs = {verb for verb in VERBS if "--demo" in parser_of(verb).format_help()}
    actions = parser_of("diff")._actions
    nested = next(action for action in actions if isinstance(action, argparse._SubParsersAction)).choices
    diffs = {f"diff {name}" for name, parser in nested.items() if "--demo" in parser.format_help()}
    assert set(DEMO_VERBS) == (verbs | diffs) - {"relay"}


def test_the_option_comes_after_both_words_of_a_command() -> None:
    argv = ["bascule", "ask", "--demo"]
    shown = as_started("`bascule session diff ab | bascule diff apply -`", tuple(VERBS), argv)
    assert shown == "`bascule session --demo diff ab | bascule diff apply --demo -`"
    shown = as_started("`bascule settings set bascule.defaultTestCommand …`", tuple(VERBS), argv)
    assert shown == "`bascule settings --demo set bascule.defaultTestCommand …`"
    assert as_started("`bascule diff plan x`", tuple(VERBS), argv) == "`bascule diff plan x`"


def parser_of(verb: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    import_verb(verb).add_arguments(parser)
    return parser


@pytest.mark.parametrize("verb", ["", *VERBS, "diff plan", "diff apply"])
def test_help_fits_a_terminal_of_80_columns(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with suppress(SystemExit):
        main([*verb.split(), "--help"])
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert ("examples:" in shown) == (verb in WITH_EXAMPLES), shown


def test_a_long_line_is_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = "  a long line with several words and https://example.org/a-link-that-is-longer-than-it"
    lines = fit(text, Screen()).split("\n")
    assert " ".join(line.strip() for line in lines) == text.strip()
    assert all(len(line) <= 40 or "https://" in line for line in lines)
    assert fit(text, io.StringIO()) == text


def test_what_comes_after_the_tour_names_the_own_codex_without_the_demo(off_path: Path) -> None:
    argv = [str(off_path / ".venv" / "bin" / "bascule"), "demo"]
    own = next(line for line in as_started(_afterwards(), tuple(VERBS), argv).splitlines() if "own" in line)
    assert own.endswith('bascule ask "what does this project do?" (without --demo)')
