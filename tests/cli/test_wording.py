"""Texts on a terminal: broken between words, with commands that can be typed as they are."""

import argparse
import io
import shutil
from pathlib import Path

import pytest

from bascule.cli import VERBS, import_verb
from bascule.cli.sessions.demo import _afterwards
from bascule.cli.wording import DEMO_VERBS, as_started, fit

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


def test_the_commands_of_the_demo_take_the_option() -> None:
    for verb in VERBS:
        parser = argparse.ArgumentParser()
        import_verb(verb).add_arguments(parser)
        assert "--demo" in parser.format_help() or verb not in DEMO_VERBS, verb
    assert set(DEMO_VERBS) <= set(VERBS)


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
