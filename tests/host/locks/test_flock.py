"""A lock on a descriptor: had by one, or shared, and never waited for."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bascule.host.locks.flock import try_lock, unlock


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """The same file, opened twice."""
    fds = [os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2)]
    yield (fds[0], fds[1])
    for fd in fds:
        os.close(fd)


def test_one_has_it_until_it_lets_go(pair: tuple[int, int]) -> None:
    one, other = pair
    assert (try_lock(one), try_lock(other), try_lock(other, shared=True)) == (True, False, False)
    unlock(one)
    assert try_lock(other)


@pytest.mark.skipif(os.name == "nt", reason="there is only one kind there")
def test_several_may_look_at_once(pair: tuple[int, int]) -> None:
    one, other = pair
    assert (try_lock(one, shared=True), try_lock(other, shared=True), try_lock(one)) == (True, True, False)
