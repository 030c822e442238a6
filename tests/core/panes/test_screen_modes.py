"""Modes: what a program set is set again in an empty terminal, however the bytes were cut."""

import pytest

from bascule.core.panes.screen_modes import ScreenModes

VIM = b"\x1b[?1049h\x1b[?1h\x1b=\x1b[?2004h\x1b[?25l\x1b[?12h text \x1b[31m"


def test_nothing_set_needs_nothing() -> None:
    modes = ScreenModes()
    modes.feed(b"ls\r\n\x1b[1mbold\x1b[0m")
    assert modes.replay() == b""


def test_a_full_screen_program_is_replayed() -> None:
    modes = ScreenModes()
    modes.feed(VIM)
    assert modes.replay() == b"\x1b[?25l\x1b[?1h\x1b[?1049h\x1b[?2004h\x1b="


def test_leaving_it_leaves_nothing() -> None:
    modes = ScreenModes()
    modes.feed(VIM + b"\x1b[?1049;1;2004l\x1b>\x1b[?25h")
    assert modes.replay() == b""


@pytest.mark.parametrize(("reset", "left"), [(b"\x1bc", b""), (b"\x1b[!p", b"\x1b[?1049h")])
def test_a_reset_resets(reset: bytes, left: bytes) -> None:
    modes = ScreenModes()
    modes.feed(VIM + reset)
    assert modes.replay() == left


def test_cut_at_every_byte_it_is_the_same() -> None:
    for at in range(len(VIM)):
        modes = ScreenModes()
        modes.feed(VIM[:at])
        modes.feed(VIM[at:])
        assert modes.replay() == b"\x1b[?25l\x1b[?1h\x1b[?1049h\x1b[?2004h\x1b="


def test_numbers_without_end_do_no_harm() -> None:
    modes = ScreenModes()
    modes.feed(b"\x1b[?" + b"9" * 100_000 + b"h\x1b[?2004h")
    assert modes.replay() == b"\x1b[?2004h"
