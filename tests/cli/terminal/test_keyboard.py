"""Answers from a terminal: only what is typed once the question stands counts, and never what is pasted."""

import asyncio
import os
import select
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from tests.patience import PATIENCE_S

from bascule.cli.terminal import keyboard
from bascule.cli.terminal.keyboard import NOT_PASTED, Closed, read_answer, read_line
from bascule.cli.terminal.typed_text import TypedText
from bascule.cli.terminal.yes_no import MAX_TRIES, ask_yes_no
from bascule.host.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pty is Unix's")

QUIET_S = 0.02
BEGINS, ENDS = b"\x1b[200~", b"\x1b[201~"


class Person:
    """At a real terminal: what they type, and what they see."""

    def __init__(self, ours: int, terminal: Terminal, patch: pytest.MonkeyPatch) -> None:
        self._ours = ours
        self.patch = patch
        self.terminal = terminal
        self.seen = b""

    def type(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def type_and_rest(self, keys: bytes) -> None:
        """The last keys before the question counts as shown."""
        self.type(keys)
        self.patch.setattr(keyboard, "QUIET_S", QUIET_S)

    async def until(self, text: bytes) -> bytes:
        """What was shown before it, since the last call."""
        loop = asyncio.get_running_loop()
        came = asyncio.Event()

        def read() -> None:
            self.seen += os.read(self._ours, 4096)
            if text in self.seen:
                came.set()

        loop.add_reader(self._ours, read)
        try:
            async with asyncio.timeout(PATIENCE_S):
                await came.wait()
        finally:
            loop.remove_reader(self._ours)
        before, _, self.seen = self.seen.partition(text)
        return before


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    import pty

    ours, theirs = pty.openpty()
    with (
        os.fdopen(theirs, encoding="utf-8") as keys,
        os.fdopen(os.dup(theirs), "w", encoding="utf-8") as screen,
    ):
        monkeypatch.setattr(sys, "stdin", keys)
        yield Person(ours, Terminal(keys, screen), monkeypatch)
    os.close(ours)


@asynccontextmanager
async def asking(person: Person, **how: bool) -> AsyncIterator["asyncio.Task[str]"]:
    """A question whose prompt is not on the screen until the person rests."""
    person.patch.setattr(keyboard, "QUIET_S", 600)

    async def ask() -> str:
        try:
            return await read_answer(person.terminal, "? ", **how)
        except Closed:
            return "closed"

    async with asyncio.TaskGroup() as group:
        answer = group.create_task(ask())
        await person.until(b"\x1b[?2004h")
        yield answer


@asynccontextmanager
async def asked(person: Person, **how: bool) -> AsyncIterator["asyncio.Task[str]"]:
    async with asking(person, **how) as answer:
        person.type_and_rest(b" ")
        await person.until(b"? ")
        yield answer


async def test_a_prompt_takes_what_was_typed_ahead(person: Person) -> None:
    person.type(b"one\ntwo\n")
    assert [await read_line(), await read_line()] == ["one", "two"]


async def test_a_paste_and_a_key_pressed_twice_answer_no_question_that_comes_later(person: Person) -> None:
    person.type(b"tidy up\ny\ny\nhalf a line, y")
    assert await read_line() == "tidy up"
    async with asked(person) as answer:
        person.type(b"n\n")
    assert answer.result() == "n"


async def test_nor_does_a_paste_without_marks_that_comes_in_many_pieces(person: Person) -> None:
    async with asking(person) as answer:
        for _ in range(30):
            person.type(b"y\n")
            while select.select([person.terminal.keys], [], [], 0)[0]:
                await asyncio.sleep(0)
        person.type_and_rest(b"y\n")
        await person.until(b"? ")
        person.type(b"n\n")
    assert answer.result() == "n"


async def test_nor_do_keys_that_come_before_the_question_has_stood_for_a_moment(person: Person) -> None:
    async with asking(person) as answer:
        person.type_and_rest(b"y\n")
        await person.until(b"? ")
        person.type(b"n\n")
    assert answer.result() == "n"


@pytest.mark.parametrize(
    "pasted",
    [
        b"y",
        b"y\n",
        b"tidy up\ny\ny\n",
        b"\x15y\n",
        b"\x7f" * 8 + b"y\n",
        b"\x17y\n",
        b"\x03y\n",
        b"\x04y\n",
        b"\x16\x1b[y\ny\x1b",
        b"\x15y\n" + b"x" * 20_000,
        b"see this:" + ENDS + b"y\n",
        ENDS + b"y\n" + BEGINS,
    ],
    ids=[
        "text",
        "line",
        "lines",
        "^U",
        "DEL",
        "^W",
        "^C",
        "^D",
        "escapes",
        "too much",
        "its end",
        "ends and begins",
    ],
)
async def test_pasted_text_is_never_an_answer(person: Person, pasted: bytes) -> None:
    async with asked(person) as answer:
        await asyncio.to_thread(person.type, BEGINS + pasted + ENDS)
        await person.until(NOT_PASTED.encode())
        person.type(b"n\n")
    assert answer.result() == "n"


async def test_nor_is_a_paste_that_begins_before_the_question_stands(person: Person) -> None:
    async with asking(person) as answer:
        person.type_and_rest(b"y\n" + BEGINS + b"one\n")
        await person.until(b"? ")
        person.type(b"y\n" + ENDS)
        await person.until(NOT_PASTED.encode())
        person.type(b"n\n")
    assert answer.result() == "n"


@pytest.mark.parametrize("shown", [False, True], ids=["before the prompt", "after a paste"])
async def test_nor_is_what_came_while_this_process_stood_still(person: Person, shown: bool) -> None:
    """The moment without a key is over by the clock, and yet keys have come in it."""
    until_now, ends_at_once = asyncio.timeout, list[bool]()

    def timeout(delay_s: float | None) -> asyncio.Timeout:
        if delay_s == keyboard.QUIET_S and not ends_at_once:
            ends_at_once.append(True)
            person.type(b"y\n")
            return until_now(-1)
        return until_now(delay_s)

    async with asked(person) if shown else asking(person) as answer:
        person.patch.setattr(asyncio, "timeout", timeout)
        person.type_and_rest(BEGINS + b"see:" + ENDS if shown else b" ")
        await person.until(NOT_PASTED.encode() if shown else b"? ")
        person.type(b"n\n")
    assert ends_at_once
    assert answer.result() == "n"


async def test_what_a_form_asks_for_can_be_pasted_and_enter_is_typed(person: Person) -> None:
    async with asked(person, takes_pastes=True) as answer:
        person.type(BEGINS + b"one\ntwo" + ENDS + b"\nthree\n")
        await person.until(b"one two three ")
        assert not answer.done()
        answer.cancel()
    typed = TypedText(takes_pastes=True)
    for key in "\x1b[200~one\rtwo\x1b[201~\r":
        typed.feed(key)
    typed.settle()
    assert [typed.feed(key) for key in "!\r"] == ["!", "\n"]
    assert (typed.text, typed.is_done) == ("one two !", True)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (b"ya\x7f\n", "y"),
        (b"n some words\x17more\r", "n some more"),
        (b"yes\x15n\n", "n"),
        ("n weil ’s schön wär\n".encode(), "n weil ’s schön wär"),
        ("日本\x7f\x7fy\n".encode(), "y"),
        (b"\x1b[A\x1bOAn\x1b[1;5C\n", "n"),
    ],
    ids=["backspace", "a word", "the line", "letters", "wide letters", "arrows"],
)
async def test_a_typed_line_can_be_edited(person: Person, keys: bytes, text: str) -> None:
    async with asked(person) as answer:
        person.type(keys)
    assert answer.result() == text


async def test_a_secret_is_not_shown(person: Person) -> None:
    async with asked(person, secret=True) as answer:
        person.type(b"hidden\n")
    assert answer.result() == "hidden"
    assert await person.until(b"\x1b[?2004l") == b"\r\n"


@pytest.mark.parametrize(
    ("keys", "said"),
    [(b"\x03n\n", "n"), (b"\x04", "closed"), (b"", "")],
    ids=["Ctrl+C", "Ctrl+D", "withdrawn"],
)
async def test_the_terminal_is_given_back(
    person: Person, keys: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import termios

    usual = termios.tcgetattr(person.terminal.keys)
    signals = list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *sent: signals.append(sent))
    async with asked(person) as answer:
        assert termios.tcgetattr(person.terminal.keys) != usual
        if keys:
            person.type(keys)
        else:
            answer.cancel()
    assert answer.cancelled() if not keys else answer.result() == said
    assert signals == ([(0, signal.SIGINT)] if b"\x03" in keys else [])
    assert termios.tcgetattr(person.terminal.keys) == usual


async def test_a_yes_or_no_that_is_neither_is_asked_again_and_not_for_ever(person: Person) -> None:
    person.patch.setattr(keyboard, "QUIET_S", QUIET_S)
    async with asyncio.TaskGroup() as group:
        answer = group.create_task(ask_yes_no(person.terminal, "Write it? "))
        await person.until(b"Write it? ")
        await person.until(b"[y/n] ")
        for said in (b"1\n", b"ja\n"):
            person.type(said)
            await person.until(b"Please type y or n: ")
        person.type(b"y\n")
    assert answer.result()
    async with asyncio.TaskGroup() as group:
        answer = group.create_task(ask_yes_no(person.terminal, "Write it? "))
        for prompt in (b"[y/n] ", *[b"Please type y or n: "] * (MAX_TRIES - 1)):
            await person.until(prompt)
            person.type(b"1\n")
    assert not answer.result()
