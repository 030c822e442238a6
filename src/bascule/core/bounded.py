"""Dictionaries with a ceiling: the oldest entry makes room for the newest."""

from collections.abc import Callable
from itertools import islice
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def forget_oldest(kept: dict[K, V], most: int, may_go: Callable[[V], bool] = lambda _value: True) -> None:
    """Until at most that many are left, as far as the others may go. The newest always stays."""
    too_many = len(kept) - most
    if too_many <= 0:
        return
    going = (key for key in islice(kept, len(kept) - 1) if may_go(kept[key]))
    for key in list(islice(going, too_many)):  # no further than needed: it is called for every entry
        del kept[key]
