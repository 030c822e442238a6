"""Which lines two versions share, in files of any length."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bascule.core.diff.make.compare import MAX_COMPARED, find_groups
from bascule.core.diff.make.landmarks import find_matches

LONG = [f"line {number}" if number % 3 else "" for number in range(2_000)]  # longer than is compared as one


def changed(lines: list[str], **at: str) -> list[str]:
    new = {int(number[1:]): text for number, text in at.items()}
    return [new.get(number, line) for number, line in enumerate(lines)]


def test_small_changes_far_apart_in_a_long_file_are_a_group_each() -> None:
    assert len(LONG) ** 2 > MAX_COMPARED
    groups = find_groups(LONG, changed(LONG, _9="top", _999="middle", _1989="bottom"))
    assert groups == [
        [
            ("equal", at - 3, at, at - 3, at),
            ("replace", at, at + 1, at, at + 1),
            ("equal", at + 1, at + 4, at + 1, at + 4),
        ]
        for at in (9, 999, 1989)
    ]


def test_what_was_moved_is_shown_where_it_went_and_came() -> None:
    groups = find_groups(LONG, [*LONG[:10], *LONG[20:1_500], *LONG[10:20], *LONG[1_500:]])
    tags = [[code[0] for code in group] for group in groups]
    assert tags == [["equal", "delete", "equal"], ["equal", "insert", "equal"]]


def test_what_has_no_line_of_its_own_is_shown_as_changed() -> None:
    old, new = ["a", "b"] * 2_000, ["b", "c"] * 2_000
    assert find_matches(old, new, most=1_000) == []


lines = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(lines, lines, st.sampled_from([0, 1, 10, 1_000]))
@settings(max_examples=9 * settings().max_examples)
def test_matches_are_in_order_and_of_equal_lines_whatever_may_be_compared(
    old: list[str], new: list[str], most: int
) -> None:
    old_at = new_at = 0
    for match in find_matches(old, new, most=most):
        assert match.old >= old_at
        assert match.new >= new_at
        old_at, new_at = match.old + match.size, match.new + match.size
        assert old[match.old : old_at] == new[match.new : new_at] != []
    assert old_at <= len(old)
    assert new_at <= len(new)


@given(lines, lines)
def test_groups_turn_the_one_into_the_other(old: list[str], new: list[str]) -> None:
    made, at = list[str](), 0
    for tag, old_from, old_to, new_from, new_to in (
        code for group in find_groups(old, new) for code in group
    ):
        made += old[at:old_from]
        made += old[old_from:old_to] if tag == "equal" else new[new_from:new_to]
        at = old_to
    assert [*made, *old[at:]] == new
