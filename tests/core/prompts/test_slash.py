"""Slash commands: known ones are parsed, unknown ones are refused, paths and prose are prompts."""

import pytest

from bascule.core.prompts.slash import COMMANDS, Slash, UnknownSlash, help_text, parse_slash


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("/new", Slash("/new")),
        ("/diff", Slash("/diff")),
        ("/help ", Slash("/help")),
        ("/rename A better name", Slash("/rename", "A better name")),
        ("/rename", Slash("/rename")),
        ("/patch do this\nand that", Slash("/patch", "do this\nand that")),
        ("/patch\ndo this", Slash("/patch", "do this")),
        ("/test", Slash("/test")),
        ("/new\ndo this", None),
        ("/nope", UnknownSlash("/nope")),
        ("/NEW", UnknownSlash("/NEW")),
        ("/", UnknownSlash("/")),
        ("hello /new", None),
        (" /new", None),
        ("/usr/bin/python is broken", None),
        ("\n/new", None),
    ],
)
def test_only_a_slash_at_the_very_start_is_a_command(text: str, parsed: Slash | UnknownSlash | None) -> None:
    assert parse_slash(text) == parsed


def test_an_unknown_command_is_consumed_with_a_clear_error() -> None:
    unknown = parse_slash("/frobnicate now")
    assert isinstance(unknown, UnknownSlash)
    assert unknown.text == "/frobnicate is not a command. Type /help for the list. Nothing was sent."


def test_help_lists_every_command() -> None:
    assert [line.split("`")[1].split()[0] for line in help_text().splitlines()] == list(COMMANDS)
