"""Scrollback as text: what a person saw, without what a terminal obeys."""

import pytest

from bascule.core.panes.scrollback_text import make_text


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (b"$ ls\r\na.py  b.py\r\n$ ", "$ ls\na.py  b.py\n$"),
        (b"\x1b[32mgreen\x1b[0m\r\n\x1b]0;title\x07next\r\n", "green\nnext"),
        (b"10%\r50%\r100%\r\ndone\r\n", "100%\ndone"),
        (b"lss\b \b -l\r\n", "ls -l"),
        (b"a\x1b[?1049hvim's screen\x1b[?1049lb\r\n", "ab"),
        (b"before\r\n\x1b[?1049hstill in vim", "before"),
        (b"old\r\n\x1b[H\x1b[2J\x1b[3Jnew\r\n", "new"),
        ("猫 🐈 日本\r\n".encode(), "猫 🐈 日本"),
        (b"\x83\x65\x83\x58\x83\x67\r\n", "\ufffde\ufffdX\ufffdg"),  # Shift-JIS is no UTF-8, and does no harm
        (b"", ""),
    ],
)
def test_what_is_left(output: bytes, text: str) -> None:
    assert make_text(output, 1000) == text


def test_the_last_whole_lines_fit_the_ceiling() -> None:
    text = make_text(b"".join(b"line %d\r\n" % number for number in range(1000)), 30)
    assert text == "line 997\nline 998\nline 999"


@pytest.mark.parametrize("before", [b"", b"before\r\n"])
def test_of_one_line_above_the_ceiling_the_end_is_kept(before: bytes) -> None:
    assert make_text(before + b"x" * 500 + b"end\r\n", 30) == "x" * 27 + "end"
