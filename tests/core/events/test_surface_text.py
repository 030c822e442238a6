"""Text is harmless, in lines that can be drawn, and says where it was cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.events.surface_text import (
    MAX_LINE,
    cut_end,
    cut_middle,
    fit,
    visible,
    visible_line,
    wrap,
    wrap_diff,
)


@pytest.mark.parametrize(
    ("hidden", "spelt"),
    [
        ("ls -la", "ls -la"),
        ("rm -rf /\recho hi", "rm -rf /<U+000D>echo hi"),
        ("\x1b]0;rm -rf ~", "<U+001B>]0;rm -rf ~"),
        ("\x1b[8mhidden\x1b[0m", "<U+001B>[8mhidden<U+001B>[0m"),
        ("a\u202eb\u200bc\u2028d", "a<U+202E>b<U+200B>c<U+2028>d"),
        ("no\u00a0break \u3164filler", "no<U+00A0>break <U+3164>filler"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("橋\u3000é\tx\ny\r\nz", "橋\u3000é\tx\ny\nz"),
    ],
)
def test_what_hides_is_spelt_and_nothing_is_dropped(hidden: str, spelt: str) -> None:
    assert visible(hidden) == spelt


@given(st.text(alphabet=st.characters(exclude_characters="\r"), max_size=200))
def test_every_printable_character_stays(text: str) -> None:
    kept = [c for c in text if c.isprintable() and c not in "\u115f\u1160\u2800\u3164\uffa0"]
    shown = visible(text)
    assert all(c.isprintable() or c in "\n\t\u3000" for c in shown)
    at = iter(shown)
    assert all(c in at for c in kept)


def test_a_name_is_one_line_with_all_its_spaces() -> None:
    assert visible_line("a  b\nc\td") == "a  b<U+000A>c<U+0009>d"


@given(st.text(alphabet="ab\n", max_size=30), st.integers(0, 3))
def test_wrapping_only_adds_line_ends(text: str, times: int) -> None:
    text = text.replace("a", "a" * MAX_LINE * times)
    wrapped = wrap(text)
    assert max(map(len, wrapped.split("\n"))) <= MAX_LINE
    assert wrapped.replace("\n", "") == text.replace("\n", "")


def test_each_piece_of_a_long_line_of_a_diff_keeps_its_sign() -> None:
    diff = "@@ -1 +1 @@\n-old\n+" + "x" * (MAX_LINE + 5) + "\n"
    assert wrap_diff(diff) == "@@ -1 +1 @@\n-old\n+" + "x" * (MAX_LINE - 1) + "\n+" + "x" * 6 + "\n"


def test_the_middle_is_left_out_with_a_note() -> None:
    assert cut_middle("abcdefghij", 10) == "abcdefghij"
    assert cut_middle("abcdefghij", 4) == "ab\n[… 6 characters left out …]\nij"
    assert cut_middle("橋橋橋橋", 8) == "橋\n[… 2 characters left out …]\n橋"


def test_the_end_is_left_out_in_whole_lines() -> None:
    assert cut_end("one\ntwo\n", 8) == ("one\ntwo\n", False)
    assert cut_end("one\ntwo\nthree\n", 10) == ("one\ntwo\n[… 6 characters left out …]\n", True)
    assert cut_end("onetwothree", 6) == ("onetwo[… 5 characters left out …]\n", True)


@given(st.text(max_size=300), st.integers(10, 100))
def test_nothing_that_is_fit_is_above_its_ceiling(text: str, limit: int) -> None:
    note = len("\n[… 300 characters left out …]\n".encode())
    assert len(fit(text, limit).encode()) <= limit + note
