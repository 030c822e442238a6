"""Marks: OSC 0, 2, 7, 9;9, 133, 633 and 1337, cut anywhere, and nothing else."""

import pytest

from bascule.core.panes.marks import MAX_MARK, Mark, MarkReader

BEL, ST, C1 = b"\x07", b"\x1b\\", b"\xc2\x9c"

CASES: list[tuple[bytes, list[Mark]]] = [
    (b"\x1b]7;file://host/home/ann/my%20shop", [Mark("folder", "/home/ann/my shop")]),
    (b"\x1b]7;file:///C:/Users/ann", [Mark("folder", "C:/Users/ann")]),
    (b"\x1b]7;kitty-shell-cwd://x/y", []),
    (b"\x1b]9;9;C:\\Users\\ann", [Mark("folder", "C:\\Users\\ann")]),
    (b'\x1b]9;9;"/home/ann"', [Mark("folder", "/home/ann")]),
    (b"\x1b]9;4;1;50", []),  # progress
    (b"\x1b]1337;CurrentDir=/home/ann", [Mark("folder", "/home/ann")]),
    (b"\x1b]1337;SetUserVar=a=b", []),
    (b"\x1b]133;A", [Mark("prompt")]),
    (b"\x1b]133;A;cl=m;aid=1", [Mark("prompt", nonce="1")]),
    (b"\x1b]133;B", []),
    (b"\x1b]133;C", [Mark("started")]),
    (b"\x1b]133;D", [Mark("ended")]),
    (b"\x1b]133;D;130", [Mark("ended", "130")]),
    (b"\x1b]133;D;0;aid=1", [Mark("ended", "0")]),
    (b"\x1b]633;A", [Mark("prompt")]),
    (b"\x1b]633;E;echo a\\x3b echo b\\\\n;n0nce", [Mark("command", "echo a; echo b\\n", "n0nce")]),
    (b"\x1b]633;P;Cwd=/home/\xe7\x8c\xab", [Mark("folder", "/home/猫")]),
    (b"\x1b]633;P;IsWindows=False", []),
    (b"\x1b]0;vim: a.py", [Mark("title", "vim: a.py")]),
    (b"\x1b]2;", [Mark("title", "")]),
    (b"\x1b]8;;https://example.org", []),
    (b"\x1b]52;c;c2VjcmV0", []),
    (b"\x1b]99999;x", []),
]


@pytest.mark.parametrize("end", [BEL, ST, C1], ids=["BEL", "ST", "C1"])
@pytest.mark.parametrize(("osc", "expected"), CASES)
def test_each_mark_is_read_once_however_it_is_cut(osc: bytes, expected: list[Mark], end: bytes) -> None:
    whole = b"before" + osc + end + b"after"
    assert MarkReader().feed(whole) == expected
    for at in range(len(whole)):
        reader = MarkReader()
        assert reader.feed(whole[:at]) + reader.feed(whole[at:]) == expected
    reader = MarkReader()
    assert [mark for byte in whole for mark in reader.feed(bytes([byte]))] == expected


def test_a_mark_that_never_ends_is_given_up() -> None:
    reader = MarkReader()
    reader.feed(b"\x1b]0;")
    for _ in range(100):
        assert reader.feed(b"x" * 1000) == []
    assert len(reader._rest) <= MAX_MARK
    assert reader.feed(b"\x07\x1b]133;A\x07") == [Mark("prompt")]


def test_text_without_marks_costs_nothing_and_says_nothing() -> None:
    assert MarkReader().feed(b"\x1b[31mred\x1b[0m " * 1000) == []
