"""Asides: fenced so that no content ends them, marked so that nobody's words are taken for another's."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.prompts.prompt_context import (
    BEGIN,
    ContextMark,
    ContextText,
    compose,
    fence_for,
    parse_mark,
    write_mark,
)
from bascule.core.prompts.purposes import INSTRUCTIONS
from bascule.model.context import ContextPart

FILE = ContextPart(kind="file", name="a.py", size=3, whole=9, note="the first 3 of 9 bytes")


def test_nothing_asked_for_adds_nothing() -> None:
    assert compose("talk", ()) == ""


def test_parts_are_reported_by_name_with_their_notes_and_what_is_left_out() -> None:
    left = ContextPart(kind="file", name="b.bin", note="a binary file is not sent", left_out=True)
    text = compose("plan", (ContextText(FILE, "abc"), ContextText(left, "")))
    assert text == (
        f"{BEGIN}\n\n{INSTRUCTIONS['plan']}\n\n"
        'A file of the workspace: "a.py" (the first 3 of 9 bytes)\n```\nabc\n```\n\n'
        'Not included: "b.bin", a binary file is not sent.'
    )


def test_a_name_stays_on_its_line() -> None:
    odd = ContextPart(kind="file", name="a\n```\nb", size=1, whole=1)
    assert 'workspace: "a\\n```\\nb"\n```\nx\n```' in compose("talk", (ContextText(odd, "x"),))


@given(st.text(alphabet="`~a \n", max_size=200))
def test_no_content_ends_its_fence(text: str) -> None:
    fence = fence_for(text)
    assert fence not in text
    inner = compose("talk", (ContextText(FILE, text),)).split("\n\n", 1)[1]
    assert [len(run) for run in re.findall(r"`+", inner) if len(run) >= len(fence)] == [len(fence)] * 2


def test_a_mark_is_read_back_and_anything_else_is_nobodys() -> None:
    aside = ContextMark(context=(FILE,), again=True)
    assert parse_mark(write_mark(aside)) == aside
    for other in (None, "", "[Image 1]", "bascule ", "bascule {", 'bascule {"again": 3}', "x" * 200_000):
        assert parse_mark(other) is None
