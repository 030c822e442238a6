"""Lines from a terminal: what was typed before a question was shown does not answer it."""

import asyncio
import os
import sys
from collections.abc import Iterator

import pytest

from bascule.cli.terminal.keyboard import Keyboard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pty is Unix's")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The person's end of a terminal that is our standard input."""
    import pty

    ours, theirs = pty.openpty()
    with os.fdopen(theirs, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield ours
    os.close(ours)


async def test_a_paste_and_a_key_pressed_twice_answer_no_question_that_comes_later(keys: int) -> None:
    keyboard = Keyboard()
    os.write(keys, b"tidy up\ny\ny\nhalf a line, y")
    assert await keyboard.line() == "tidy up"
    await keyboard.forget_typed()
    os.write(keys, b"n\n")
    assert await keyboard.line() == "n"


async def test_nor_does_a_line_that_was_typed_for_a_question_withdrawn(keys: int) -> None:
    keyboard = Keyboard()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(keyboard.line(), 0.01)
    os.write(keys, b"y\n")
    await keyboard.forget_typed()
    os.write(keys, b"n\n")
    assert await keyboard.line() == "n"


async def test_a_prompt_takes_what_was_typed_ahead(keys: int) -> None:
    keyboard = Keyboard()
    os.write(keys, b"one\ntwo\n")
    assert [await keyboard.line(), await keyboard.line()] == ["one", "two"]


@pytest.mark.parametrize(
    ("pasted", "typed"),
    [
        (b"\x1b[200~y\x1b[201~\n", ["", "n"]),
        (b"\x1b[200~tidy up\ny\ny\n\x1b[201~\n", ["", "n"]),
        (b"\x1b[200~y\ny\n\x1b[201~", ["n"]),
    ],
    ids=["one line", "several", "and the answer after it"],
)
async def test_pasted_text_is_never_an_answer(keys: int, pasted: bytes, typed: list[str]) -> None:
    keyboard = Keyboard()
    os.write(keys, pasted + b"n\n")
    assert [await keyboard.typed_line() for _ in typed] == typed
