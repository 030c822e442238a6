"""The ring: what is kept has its place, and what goes is given back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.panes.byte_ring import PIECE, ByteRing


def test_all_is_kept_below_the_ceiling() -> None:
    ring = ByteRing(10)
    assert ring.add(b"hello") == b""
    assert (ring.start, ring.end) == (0, 5)
    assert ring.read(1, 3) == b"ell"
    assert ring.read(5, 3) == b""


def test_above_it_the_oldest_goes_up_to_the_end_of_a_line() -> None:
    ring = ByteRing(10)
    assert ring.add(b"one\ntwo\nthree\n") == b"one\ntwo\n"
    assert (ring.start, ring.end) == (8, 14)
    assert ring.read(8, 100) == b"three\n"


def test_a_line_without_an_end_is_cut_anywhere() -> None:
    ring = ByteRing(4)
    assert ring.add(b"abcdefgh") == b"abcd"
    assert ring.read(4, 100) == b"efgh"


def test_what_is_gone_cannot_be_read() -> None:
    ring = ByteRing(4)
    ring.add(b"abcdefgh")
    with pytest.raises(ValueError, match="begins at 4"):
        ring.read(3, 1)


def test_pieces_of_any_size_are_one_stream() -> None:
    ring, sent, gone = ByteRing(100), b"", b""
    for number in range(500):
        piece = f"{number}\n".encode() * (number % 7)
        sent += piece
        gone += ring.add(piece)
    assert gone + ring.read(ring.start, 1000) == sent
    assert ring.end == len(sent)


@given(st.lists(st.integers(0, 3 * PIECE), max_size=12), st.integers(1, 4 * PIECE), st.data())
def test_long_pieces_are_one_stream_too(sizes: list[int], most: int, data: st.DataObject) -> None:
    ring, sent, gone = ByteRing(most, start=7), b"", b""
    for size in sizes:
        piece = (b"%d a line\n" % size * (size // 8 + 1))[:size]
        sent += piece
        gone += ring.add(piece)
        assert ring.end - ring.start <= most
    assert (ring.start, ring.end) == (7 + len(gone), 7 + len(sent))
    assert gone + ring.read(ring.start, len(sent) + 1) == sent
    at = data.draw(st.integers(len(gone), len(sent)))
    assert ring.read(7 + at, PIECE) == sent[at : at + PIECE]
