"""What a terminal would obey is gone, what would deceive a reader is visible."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.text.plain import escape_controls, plain, plain_line

MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;http://evil.test\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x1b]52;c;aGk=\x07clip", "clip"),
        ("\x1bP1$r0m\x1b\\after", "after"),
        ("\x9b2Jcleared", "cleared"),
        ("\x1b[2J\x1b[Hhome", "home"),
        ("bell\x07 back\x08space", "bell backspace"),
        ("10%\r50%\r100%\ndone", "100%\ndone"),
        ("windows\r\nlines", "windows\nlines"),
        ("10%\r99%\r\r\nold\rdone\r", "99%\ndone"),
        ("rm -rf /\u202e txt.exe", "rm -rf /<U+202E> txt.exe"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("tabs\tand\nlines stay", "tabs\tand\nlines stay"),
        ("橋 ✓ é", "橋 ✓ é"),
        ("unfinished \x1b[", "unfinished "),
    ],
)
def test_text_is_made_harmless(hostile: str, shown: str) -> None:
    assert plain(hostile) == shown


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    left = plain(text)
    assert not any((ord(c) < 0x20 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 for c in left)


WORST = (
    "a\rb\n" + "x" * MIB,
    "\r" * MIB,
    "x\r" * (MIB // 2),
    "a\r\n" * (MIB // 3),
    "\x1b[" + "0" * MIB,
    "\x1b[" * (MIB // 2),
    "\x1b[0" + " " * MIB,
    "\x1b]" * (MIB // 2),
    "\x1bP" * (MIB // 2),
    "\x1b" * MIB,
    "\x9b" + "0" * MIB,
    "\x9b0" * (MIB // 2),
)


@pytest.mark.parametrize("text", WORST, ids=range(len(WORST)))
def test_the_worst_megabyte_takes_no_longer_than_any_other(text: str) -> None:
    """Of a pattern that takes more than linear time this would not end."""
    assert len(plain(text)) <= len(text)


def test_a_title_is_one_line() -> None:
    assert plain_line("a\n\tb \x1b[1mc") == "a b c"


@given(st.text(alphabet=st.characters(max_codepoint=0x10FFFF, exclude_categories=["Cs"])))
def test_json_for_a_terminal_says_the_same_without_a_control(text: str) -> None:
    line = escape_controls(msgspec.json.encode({"text": text + "\x7f\x9b31m\x9d"}))
    assert msgspec.json.decode(line) == {"text": text + "\x7f\x9b31m\x9d"}
    assert not [one for one in line.decode() if ord(one) < 0x20 or 0x7F <= ord(one) < 0xA0]
