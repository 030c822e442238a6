"""What a person types, read beside the event loop: the line of a prompt, or the answer to a question."""

import asyncio
import codecs
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bascule.cli.terminal.typed_text import TypedText

if TYPE_CHECKING:
    from bascule.host.terminal import Terminal

    if sys.platform != "win32":
        from bascule.host.terminal import KeyByKey

MAX_READ = 4_096  # bytes at once
QUIET_S = 0.4  # without a key before a question counts as shown, as on the page

NOT_PASTED = "Pasted text doesn't count as an answer. Type it."
MARK_PASTES, MARK_NO_PASTES = "\x1b[?2004h", "\x1b[?2004l"  # terminals that can't ignore it

Asked = TypeVar("Asked")


class Closed(Exception):
    """The terminal has nothing more to say."""


def is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


async def read_line() -> str:
    """The next line of standard input, without its end; what was typed ahead counts."""
    try:
        line: str = await beside(sys.stdin.readline)
    except (OSError, ValueError):
        raise Closed from None
    if not line:
        raise Closed
    return line.rstrip("\r\n")


async def beside(work: Callable[[], Asked]) -> Asked:
    """Done in a thread that holds nothing up: not the event loop, and not the end of this process."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Asked] = loop.create_future()

    def settle(tell: Callable[[], None]) -> None:
        if not answer.done():
            tell()

    def act() -> None:
        try:
            result = work()
        except (OSError, ValueError) as fault:
            resolve = partial(answer.set_exception, fault)
        else:
            resolve = partial(answer.set_result, result)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, resolve)

    threading.Thread(target=act, name="beside", daemon=True).start()
    return await answer


def _show(terminal: "Terminal", text: str) -> None:
    terminal.screen.write(text)
    terminal.screen.flush()


if sys.platform == "win32":
    import getpass

    MAX_PIECES = 10  # of a paste that are waited for

    async def read_answer(
        terminal: "Terminal",
        prompt: str,
        *,
        takes_pastes: bool = False,  # noqa: ARG001  # it cannot tell
        secret: bool = False,
    ) -> str:
        """The next line that is typed after a moment without a key. The console cannot be waited for, and
        marks no pastes."""
        from bascule.host.terminal import forget_typed, has_typed

        for _ in range(MAX_PIECES):
            forget_typed(terminal.keys)
            await asyncio.sleep(QUIET_S)
            if not has_typed(terminal.keys):
                break
        forget_typed(terminal.keys)
        if secret:
            try:
                return await beside(lambda: getpass.getpass(prompt))
            except EOFError:
                raise Closed from None
        _show(terminal, prompt)
        line = await beside(lambda: terminal.keys.readline(MAX_READ))
        if not line:
            raise Closed
        return line.strip()

else:

    async def read_answer(
        terminal: "Terminal", prompt: str, *, takes_pastes: bool = False, secret: bool = False
    ) -> str:
        """The next line that is typed once what is asked has been on the screen for a moment, with no key
        pressed; the prompt is shown then. Pasted text is left out or, where it is taken, still needs Enter.
        A paste may hold the mark that ends one, so it is over when no key has come for a moment since.

        A caller that stops waiting leaves no reader behind."""
        from bascule.host.terminal import KeyByKey

        typed = TypedText(takes_pastes=takes_pastes)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        marks = terminal.screen.isatty()  # where it isn't, the terminal shows the keys by itself
        with KeyByKey(terminal.keys, echo=not (marks or secret)) as mode:
            try:
                _show(terminal, MARK_PASTES if marks else "")
                while came := await _read_until_quiet(mode.fd):  # however many pieces a long paste has
                    for key in decoder.decode(came):  # to the last: a paste may begin in them
                        _feed(typed, key, mode)
                        typed.forget()
                typed.settle()
                _show(terminal, prompt)
                while not typed.is_done:
                    came = await (_read_until_quiet if typed.is_settling else _read_keys)(mode.fd)
                    if not came:
                        typed.settle()
                        _show(terminal, "" if takes_pastes else f"\n{NOT_PASTED}\n{prompt}{typed.text}")
                        continue
                    shown = _feed(typed, decoder.decode(came), mode)
                    if marks:
                        _show(terminal, "\n" * typed.is_done if secret else shown)
                    if typed.is_closed:
                        raise Closed
            finally:
                _show(terminal, MARK_NO_PASTES if marks else "")
        return typed.text.strip()

    def _feed(typed: TypedText, keys: str, mode: "KeyByKey") -> str:
        shown = ""
        for key in keys:
            shown += typed.feed(key)
            if typed.signal:
                mode.send(signal.Signals[typed.signal])
            if typed.is_done or typed.is_closed:
                break
        return shown

    async def _read_until_quiet(keys: int) -> bytes:
        """Empty after a moment without a key: one with nothing to read at its end either. Where this process
        stood still for longer, the time is over though keys have come."""
        with suppress(TimeoutError):
            async with asyncio.timeout(QUIET_S):
                return await _read_keys(keys)
        return await _read_keys(keys) if select.select([keys], [], [], 0)[0] else b""

    async def _read_keys(keys: int) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()

        def settle() -> None:
            loop.remove_reader(keys)
            if not ready.done():
                ready.set_result(None)

        loop.add_reader(keys, settle)
        try:
            await ready
        finally:
            loop.remove_reader(keys)
        try:
            pressed = os.read(keys, MAX_READ)
        except OSError:
            pressed = b""
        if not pressed:
            raise Closed  # the terminal is gone: nothing was said
        return pressed
