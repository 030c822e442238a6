"""What a surface has not been sent yet."""

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.session.fold import Fold
from bascule.core.wire.outbox import MAX_WAITING, MAX_WAITING_TEXT, Numbered, Outbox
from bascule.model.changes import Change, Field, HiddenSet, StatusSet, TextGrew
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Session


def grew(text: str, block: str = "b", field: Field = "text", part: int = 0) -> TextGrew:
    return TextGrew(BlockId(block), field, text, part)


def is_behind(outbox: Outbox) -> bool:
    return outbox.behind


def test_neighbouring_growth_is_joined_under_the_last_number() -> None:
    outbox = Outbox()
    for seq, text in enumerate("abc", start=1):
        outbox.put(seq, grew(text))
    outbox.put(4, StatusSet("working"))
    outbox.put(5, grew("d"))
    expected = [Numbered(3, grew("abc")), Numbered(4, StatusSet("working")), Numbered(5, grew("d"))]
    assert outbox.take() == expected
    assert outbox.take() == []


def test_growth_of_another_block_field_or_part_is_not_joined() -> None:
    outbox = Outbox()
    changes = [
        grew("1"),
        grew("2", block="c"),
        grew("3", field="summary"),
        grew("4", field="summary", part=1),
    ]
    for seq, change in enumerate(changes, start=1):
        outbox.put(seq, change)
    assert [numbered.change for numbered in outbox.take()] == changes


def test_what_was_taken_is_not_joined_to() -> None:
    outbox = Outbox()
    outbox.put(1, grew("a"))
    assert outbox.take() == [Numbered(1, grew("a"))]
    outbox.put(2, grew("b"))
    assert outbox.take() == [Numbered(2, grew("b"))]


def test_the_run_of_the_first_piece_is_kept() -> None:
    outbox = Outbox()
    outbox.put(1, TextGrew(BlockId("b"), "text", "a", 0, RunId("r")))
    outbox.put(2, grew("b"))
    assert outbox.take() == [Numbered(2, TextGrew(BlockId("b"), "text", "ab", 0, RunId("r")))]


def test_too_many_changes_leave_it_behind_until_it_starts_anew() -> None:
    outbox = Outbox()
    for seq in range(MAX_WAITING):
        outbox.put(seq, HiddenSet(True))
    assert not is_behind(outbox)
    outbox.put(MAX_WAITING, HiddenSet(True))
    assert is_behind(outbox)
    outbox.put(MAX_WAITING + 1, HiddenSet(False))
    assert outbox.take() == []
    outbox.restart()
    outbox.put(MAX_WAITING + 2, HiddenSet(True))
    assert not is_behind(outbox)
    assert outbox.take() == [Numbered(MAX_WAITING + 2, HiddenSet(True))]


def test_too_much_text_leaves_it_behind_joined_or_not() -> None:
    joined, apart = Outbox(), Outbox()
    half = "x" * (MAX_WAITING_TEXT // 2)
    for seq in range(2):
        joined.put(seq, grew(half))
        apart.put(seq, grew(half, block=str(seq)))
    assert not is_behind(joined)
    assert not is_behind(apart)
    joined.put(2, grew("y"))
    apart.put(2, grew("y", block="c"))
    assert is_behind(joined)
    assert is_behind(apart)
    assert joined.take() == apart.take() == []


def test_what_was_taken_no_longer_counts() -> None:
    outbox = Outbox()
    for seq in range(3):
        outbox.put(seq, grew("x" * (MAX_WAITING_TEXT // 2 + 1)))
        outbox.take()
    assert not is_behind(outbox)


growth = st.builds(grew, st.text(max_size=3), st.sampled_from("ab"), st.sampled_from(["text", "plan"]))
others = st.sampled_from([StatusSet("working"), StatusSet("completed"), HiddenSet(True)])


@given(st.lists(growth | others, max_size=30), st.sets(st.integers(0, 30)))
def test_a_reader_that_takes_now_and_then_ends_in_the_same_session(
    changes: list[Change], takes: set[int]
) -> None:
    start = Session(id=SessionId("s"), workspace="/w")
    theirs, ours, outbox = Fold(start), Fold(start), Outbox()
    taken: list[Numbered] = []
    for seq, change in enumerate(changes, start=1):
        ours.apply(change)
        outbox.put(seq, change)
        if seq in takes:
            taken += outbox.take()
    taken += outbox.take()
    theirs.apply_all(numbered.change for numbered in taken)
    assert theirs.session() == ours.session()
    assert [numbered.seq for numbered in taken] == sorted({numbered.seq for numbered in taken})
    assert (taken[-1].seq if taken else 0) == len(changes)
