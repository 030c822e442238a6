"""Lines are found wherever they stand, and not sought again for each hunk."""

from collections import deque

import pytest

from bascule.core.diff.content import Content
from bascule.core.diff.place.asked import Asked, ask
from bascule.core.diff.place.budget import Budget, Exhausted
from bascule.core.diff.place.search import FEW, HunkSearch
from bascule.model.edits import Hunk, HunkLine


def asked(number: int, *texts: str) -> Asked:
    lines = tuple(HunkLine("-", text) for text in texts)
    return ask("x", number, Hunk(old_start=0, new_start=0, lines=lines, numbers="none"))


@pytest.mark.parametrize("count", [1, FEW, FEW + 1, 3 * FEW])
def test_lines_are_found_whether_they_are_rare_or_not(count: int) -> None:
    content = Content(b"a\nb\nc\n" * count + b"b\nrare\nc\n")
    alike, rare, missing = asked(1, "b", "c"), asked(2, "b", "rare", "c"), asked(3, "c", "b")
    search = HunkSearch(content, [alike, rare, missing], Budget("x"))
    assert search.places(alike) == list(range(1, 3 * count, 3))
    assert search.places(rare) == [3 * count]
    assert search.places(missing) == [3 * count - 1]


def test_hunks_with_the_same_lines_share_one_search() -> None:
    one, other = asked(1, "a", "b"), asked(2, "a", "b")
    search = HunkSearch(Content(b"a\nb\n" * 2 * FEW), [one, other], Budget("x"))
    assert search.places(one) is search.places(other)


def test_so_many_searches_are_given_up() -> None:
    """Each for other lines, all of which the file is full of."""
    texts = ["ab"[number * number % 7 % 2] for number in range(200_000)]
    hunks = [asked(number, *texts[number * 7 : number * 7 + 90 + number]) for number in range(2_000)]
    search = HunkSearch(Content("\n".join([*texts, ""]).encode()), hunks, Budget("x"))
    with pytest.raises(Exhausted):
        deque(map(search.places, hunks))


def test_long_runs_of_one_line_are_not_compared_at_every_line() -> None:
    """A search of so many lines at each of so many places would take minutes."""
    size = 200_000
    long = asked(1, *["a"] * (size // 2))
    with pytest.raises(Exhausted):
        HunkSearch(Content(b"a\n" * size), [long], Budget("x")).places(long)
