"""JSON with comments: what is blanked, what is kept, and where the keys stand."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.settings.jsonc import blank_comments, scan_outer_keys


@given(st.dictionaries(st.text(), st.one_of(st.text(), st.integers(), st.lists(st.text())), min_size=1))
def test_comments_and_trailing_commas_never_change_a_value(values: dict[str, Any]) -> None:
    lines = [f"{json.dumps(key)}/*,*/: {json.dumps(value)} // ]" for key, value in values.items()]
    text = "{ // {\n" + "\n,".join([*lines, ""]) + "}"
    plain = blank_comments(text)
    assert json.loads(plain) == values
    assert [c == "\n" for c in plain] == [c == "\n" for c in text]
    assert list(scan_outer_keys(plain)) == [(key, line) for line, key in enumerate(values, start=2)]


def test_a_key_named_twice_is_found_twice_and_inner_keys_are_not() -> None:
    text = '{"a": {"b": 1},\n"c": ["d", {"e": "f"}],\n"a": "g"}'
    assert list(scan_outer_keys(text)) == [("a", 1), ("c", 2), ("a", 3)]


def test_a_comment_without_end_stays_in_sight() -> None:
    assert [blank_comments(text) for text in ("1 /* open", "/*/", "1 // open", '"// text"')] == [
        "1 /* open",
        "/*/",
        "1        ",
        '"// text"',
    ]
