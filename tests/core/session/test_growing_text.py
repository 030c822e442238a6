"""Texts that grow, are clipped at the front, or are shortened for a label."""

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.session.growing_text import MAX_TEXT, GrowingText, clip, shorten


def test_clip_keeps_the_end_and_counts_what_left() -> None:
    assert clip("abcdef", 4) == ("cdef", 2)
    assert clip("abcd", 4) == ("abcd", 0)
    assert clip("", 4) == ("", 0)


def test_shorten_is_one_line_with_an_ellipsis() -> None:
    assert shorten("a  b\n\tc", 10) == "a b c"
    assert shorten("one two three", 9) == "one two…"
    assert shorten("123456789", 9) == "123456789"


@given(st.text(max_size=40), st.lists(st.integers(0, 40), max_size=8))
def test_growing_does_not_depend_on_the_chunking(text: str, reads: list[int]) -> None:
    whole, pieces = GrowingText("start"), GrowingText("start")
    whole.add(text)
    for place, character in enumerate(text):
        pieces.add(character)
        if place in reads:
            pieces.read()
    assert (whole.read(), whole.dropped) == (pieces.read(), pieces.dropped) == ("start" + text, 0)


def test_growing_over_the_ceiling_drops_the_same_however_it_came() -> None:
    text = "".join(f"{number:07d}\n" for number in range(MAX_TEXT // 8 * 2 + 12_345))
    at_once, in_steps = GrowingText("front"), GrowingText("front")
    at_once.add(text)
    for start in range(0, len(text), 99_991):
        in_steps.add(text[start : start + 99_991])
    read_between = GrowingText("front")
    for start in range(0, len(text), 700_001):
        read_between.add(text[start : start + 700_001])
        read_between.read()
    expected = (text[-MAX_TEXT:], len(text) + len("front") - MAX_TEXT)
    for growing in (at_once, in_steps, read_between):
        assert (growing.read(), growing.dropped) == expected
