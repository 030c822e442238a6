"""A ceiling for dictionaries: who leaves, who stays."""

from bascule.core.bounded import forget_oldest


def test_the_oldest_leave_first() -> None:
    kept = dict.fromkeys("abcd", 0)
    forget_oldest(kept, 4)
    assert list(kept) == ["a", "b", "c", "d"]
    forget_oldest(kept, 2)
    assert list(kept) == ["c", "d"]


def test_what_may_not_go_stays_even_over_the_ceiling() -> None:
    kept = {"busy": False, "idle": True, "also busy": False, "new": True}
    forget_oldest(kept, 1, lambda is_idle: is_idle)
    assert list(kept) == ["busy", "also busy", "new"]


def test_the_newest_always_stays() -> None:
    kept = {"busy": False, "new": True}
    forget_oldest(kept, 1, lambda is_idle: is_idle)
    assert list(kept) == ["busy", "new"]
    forget_oldest(kept, 0)
    assert list(kept) == ["new"]


def test_no_more_are_looked_at_than_have_to_leave() -> None:
    kept = {number: number for number in range(1000)}
    looked: list[int] = []

    def may_go(value: int) -> bool:
        looked.append(value)
        return True

    forget_oldest(kept, 998, may_go)
    assert (looked, next(iter(kept))) == ([0, 1], 2)
