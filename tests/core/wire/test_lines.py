"""Lines: the same whatever the chunking, and no line however long stops the stream."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.wire.lines import MAX_LINE, Lines, OverlongLine

streams = st.lists(st.binary(max_size=12).map(lambda b: b.replace(b"\n", b"_")), max_size=12).map(b"\n".join)
cuts = st.lists(st.integers(0, 200), max_size=20)


def chunked(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    return [stream[a:b] for a, b in pairwise(edges)]


def read(chunks: list[bytes], max_line: int = MAX_LINE) -> list[bytes | OverlongLine]:
    """Line by line, since a run of lines may come as one piece."""
    lines = Lines(max_line=max_line)
    seen: list[bytes | OverlongLine] = []
    for chunk in chunks:
        for part in lines.feed(chunk):
            seen += [part] if isinstance(part, OverlongLine) else part.splitlines(keepends=True)
    return seen


@given(streams, cuts, st.integers(1, 20))
def test_a_last_line_that_nobody_ended_is_sent_once(stream: bytes, cuts: list[int], most: int) -> None:
    lines = Lines(max_line=most)
    for chunk in chunked(stream, cuts):
        lines.feed(chunk)
    last = stream.rpartition(b"\n")[2]
    assert lines.end() == ([OverlongLine(len(last))] if len(last) > most else [last] if last else [])
    assert lines.end() == []


def whole_lines(stream: bytes, max_line: int) -> list[bytes | OverlongLine]:
    lines = stream.split(b"\n")[:-1]
    return [line + b"\n" if len(line) <= max_line else OverlongLine(len(line)) for line in lines]


def only_newlines(stream: bytes) -> bytes:
    """bytes.splitlines() also cuts at a carriage return: the comparison above would not be fair."""
    return stream.replace(b"\r", b"_")


@given(streams.map(only_newlines), cuts)
def test_every_chunking_gives_the_same_lines(stream: bytes, cuts: list[int]) -> None:
    assert read(chunked(stream, cuts)) == whole_lines(stream, MAX_LINE)


@given(streams.map(only_newlines), cuts, st.integers(1, 8))
def test_every_chunking_lets_the_same_lines_go(stream: bytes, cuts: list[int], max_line: int) -> None:
    assert read(chunked(stream, cuts), max_line) == whole_lines(stream, max_line)


def test_several_whole_lines_of_one_chunk_come_as_one_piece() -> None:
    assert Lines().feed(b"a\nb\nc") == [b"a\nb\n"]


def test_a_line_waits_for_its_end() -> None:
    lines = Lines()
    assert lines.feed(b"a") == []
    assert lines.feed(b"b") == []
    assert lines.feed(b"\n") == [b"ab\n"]


def test_a_line_of_exactly_the_ceiling_is_kept_and_one_byte_more_is_let_go() -> None:
    assert read([b"1234\n12345\n1234\n"], max_line=4) == [b"1234\n", OverlongLine(5), b"1234\n"]


def test_an_overlong_line_that_never_seemed_to_end_is_let_go_and_the_stream_goes_on() -> None:
    lines = Lines(max_line=4)
    for _ in range(1000):
        assert lines.feed(b"xxxx") == []
    assert lines.feed(b"x\nnext\n") == [OverlongLine(4001), b"next\n"]


def test_the_real_ceiling_holds_for_one_huge_chunk() -> None:
    huge = b"x" * (MAX_LINE + 1)
    assert Lines().feed(huge + b"\n{}\n") == [OverlongLine(MAX_LINE + 1), b"{}\n"]
