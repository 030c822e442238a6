"""Every command line in the README and the guides is one that the command line understands."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from bascule.cli import VERBS, import_verb

ROOT = Path(__file__).parents[2]
PAGES = (
    *("README.md", "docs/README.md"),
    *(
        str(path.relative_to(ROOT))
        for part in ("guide", "explain")
        for path in ROOT.glob(f"docs/{part}/*.md")
    ),
)
IN_TEXT = re.compile(r"`(?:\.venv/bin/)?bascule ([^`\n]+)`")
IN_BLOCK = re.compile(r"^\s*(?:\.venv/bin/)?bascule ([^#\n]+)", re.MULTILINE)
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
INCOMPLETE = ("are required", "expected one argument")  # a command that is only mentioned by its name


def find_commands(text: str) -> set[str]:
    in_blocks = {command for block in BLOCK.findall(text) for command in IN_BLOCK.findall(block)}
    return {command.partition(" | ")[0].strip() for command in (*IN_TEXT.findall(text), *in_blocks)}


def find_mistake(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    verb, *words = shlex.split(command)
    if verb.startswith("-"):
        return ""
    if verb not in VERBS:
        return f"no verb {verb}"
    parser = argparse.ArgumentParser()
    import_verb(verb).add_arguments(parser)
    try:
        parser.parse_args(words)
    except SystemExit:
        said = capsys.readouterr().err.strip().splitlines()[-1]
        return "" if any(part in said for part in INCOMPLETE) else said
    return ""


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_understood(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands = find_commands((ROOT / page).read_text(encoding="utf-8"))
    assert [(one, why) for one in sorted(commands) if (why := find_mistake(one, capsys))] == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_example_of_the_help_is_understood(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = getattr(import_verb(verb), "EXAMPLES", "examples:").splitlines()
    assert lines[0] == "examples:"
    shown = [re.split(r" {2,}", line.strip())[0] for line in lines[1:]]
    parts = [part for one in shown for part in one.split(" | ")]
    commands = [part.removeprefix("bascule ") for part in parts if part.startswith("bascule ")]
    assert len(commands) >= len(shown)
    assert [(one, why) for one in commands if (why := find_mistake(one, capsys))] == []


def test_commands_are_found_and_a_wrong_one_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    block = "```sh\nbascule ask --sesion last  # a comment\n```"
    commands = find_commands(f"Run `bascule up --no-open | cat`, or:\n{block}\n`bascule fly`\n")
    assert commands == {"up --no-open", "ask --sesion last", "fly"}
    assert find_mistake("up --no-open", capsys) == ""
    assert "--sesion" in find_mistake("ask --sesion last", capsys)
    assert find_mistake("fly", capsys) == "no verb fly"
    assert sum(len(find_commands((ROOT / page).read_text(encoding="utf-8"))) for page in PAGES) > 100
