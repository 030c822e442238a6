"""A diff the other way round gives back the bytes, and keeps what others wrote since."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.core.diff.trees import contents, edited

from bascule.core.diff.make.compare import hunks_between
from bascule.core.diff.make.reverse import loosened, reverse, reverse_file, reverse_hunk
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.model.edits import Diff, EditPlan, EditRefused, FileDiff, Hunk, HunkLine

pairs = contents().flatmap(lambda before: edited(before).map(lambda after: (before, after)))


def diff(before: bytes, after: bytes) -> Diff:
    return Diff((FileDiff(kind="update", path="x", hunks=hunks_between(before, after)),))


def applied(to: bytes, what: Diff) -> bytes | EditRefused | None:
    done = plan_edits(what, lambda _: to)
    return done.files[0].after if isinstance(done, EditPlan) else done


@settings(max_examples=7 * settings().max_examples, deadline=None)
@given(pairs)
def test_there_and_back(pair: tuple[bytes, bytes]) -> None:
    before, after = pair
    assume(before != after)
    there = diff(before, after)
    assert applied(before, there) == after
    assert applied(after, reverse(there)) == before
    assert reverse(reverse(there)) == there


@settings(max_examples=4 * settings().max_examples, deadline=None)
@given(st.integers(10, 39), st.integers(0, 3), st.integers(0, 2), st.integers(50, 90), st.booleans())
def test_what_a_person_wrote_elsewhere_stays(at: int, gone: int, new: int, theirs: int, above: bool) -> None:
    assume(gone or new)
    lines = [b"%d\n" % number for number in range(100)]
    before = b"".join(lines)
    run = [*lines[:at], *[b"run %d\n" % n for n in range(new)], *lines[at + gone :]]
    place = len(run) - (100 - theirs) if not above else 2
    mine = [*run[:place], b"mine\n", *run[place:]]
    back = applied(b"".join(mine), reverse(diff(before, b"".join(run))))
    assert isinstance(back, bytes)
    assert back.replace(b"mine\n", b"") == before
    assert back.count(b"mine\n") == 1


def test_files_that_come_go_and_move() -> None:
    hunk = Hunk(old_start=0, new_start=1, lines=(HunkLine("+", "a"),))
    back = Hunk(old_start=1, new_start=0, lines=(HunkLine("-", "a"),))
    new = FileDiff(kind="add", path="n", hunks=(hunk,), mode_after="100755")
    assert reverse_file(new) == FileDiff(kind="delete", path="n", hunks=(back,), mode_before="100755")
    gone = FileDiff(kind="delete", path="n", hunks=(back,))
    assert reverse_file(gone) == FileDiff(kind="add", path="n", hunks=(hunk,))
    moved = FileDiff(kind="rename", path="to", source="from")
    assert reverse_file(moved) == FileDiff(kind="rename", path="from", source="to")
    copied = FileDiff(kind="copy", path="to", source="from")
    assert reverse_file(copied) == FileDiff(kind="delete", path="to", by_name=True)


def test_removed_lines_stand_before_added_ones() -> None:
    lines = (HunkLine(" ", "a"), HunkLine("-", "b"), HunkLine("+", "c"), HunkLine(" ", "d"))
    (a, b, c, d) = reverse_hunk(Hunk(old_start=1, new_start=1, lines=lines)).lines
    assert [(line.sign, line.text) for line in (a, b, c, d)] == [
        (" ", "a"),
        ("-", "c"),
        ("+", "b"),
        (" ", "d"),
    ]


def test_less_around_a_hunk_is_only_believed_where_it_stands_once() -> None:
    (hunk,) = hunks_between(b"a\nb\nc\n", b"a\nb\nnew\nc\n")
    back = reverse_hunk(hunk)
    looser = list(loosened(back))
    assert [[line.text for line in one.lines] for one in looser] == [["a", "b", "new"], ["new", "c"], ["new"]]
    assert all(one.old_start == 0 for one in looser)
    theirs, twice = b"A\nB\nnew\nC\n", b"A\nnew\nB\nnew\nC\n"
    tried = [Diff((FileDiff(kind="update", path="x", hunks=(one,)),)) for one in looser]
    assert [applied(theirs, one) == b"A\nB\nC\n" for one in tried] == [False, False, True]
    assert all(isinstance(applied(twice, one), EditRefused) for one in tried)
