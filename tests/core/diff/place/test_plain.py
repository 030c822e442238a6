"""The quick way of splicing: the same bytes as the careful one, or none."""

import difflib

from hypothesis import given, settings
from hypothesis import strategies as st

from bascule.core.diff.place.plain import splice_plain
from bascule.core.diff.place.splice import _splice
from bascule.core.diff.read.parse import parse_diff
from bascule.core.diff.refusal import DiffRefused
from bascule.model.edits import Diff, Hunk

LINES = st.lists(st.sampled_from(["a", "b", "", "c", "d\r", "é"]), max_size=12)


def hunks_of(before: list[str], after: list[str], context: int, shift: int) -> tuple[Hunk, ...]:
    old, new = ([f"{line}\n" for line in side] for side in (before, after))
    text = "".join(difflib.unified_diff(old, new, "a/x", "b/x", n=context))
    diff = parse_diff(text.replace("@@ -1,", f"@@ -{1 + shift},"))
    return diff.files[0].hunks if isinstance(diff, Diff) else ()


@settings(max_examples=7 * settings().max_examples, deadline=None)
@given(LINES, LINES, LINES, st.sampled_from([0, 1, 3]), st.sampled_from([0, 0, 1]), st.booleans())
def test_the_quick_way_gives_what_the_careful_one_gives_or_nothing(
    before: list[str], after: list[str], there: list[str], context: int, shift: int, is_whole: bool
) -> None:
    hunks = hunks_of(before, after, context, shift)
    for lines in (before, there, after):
        data = "\n".join([*lines, ""] if is_whole else lines).encode()
        quick = splice_plain(hunks, data) if hunks else None
        if quick is not None:
            assert _splice(hunks, "x", data).after == quick


def test_what_is_plain_goes_the_quick_way_and_what_is_not_does_not() -> None:
    before, after = [*"abcdef"], [*"abCdef"]
    hunks = hunks_of(before, after, 3, 0)
    data = "\n".join([*before, ""]).encode()
    assert splice_plain(hunks, data) == data.replace(b"c", b"C")
    for other in (data[:-1], data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, b"x\n" + data):
        assert splice_plain(hunks, other) is None
    try:
        _splice(hunks, "x", b"another\n")
    except DiffRefused:
        assert splice_plain(hunks, b"another\n") is None
