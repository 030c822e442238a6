"""Calls that wait for their answer, each by the id that it was sent with."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K")
A = TypeVar("A")


class Waiter(Protocol):
    """As much of an asyncio.Future as is needed here."""

    def done(self) -> bool: ...

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, fault: BaseException, /) -> None: ...

    def exception(self) -> BaseException | None: ...

    def cancel(self) -> bool: ...


class PendingCalls(Generic[K, A]):
    """Ids are spelt from a count. What a call is about is kept beside it."""

    def __init__(self, spell: Callable[[int], K]) -> None:
        self._spell = spell
        self._count = 0
        self._waiting: dict[K, tuple[Waiter, A]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def name(self) -> K:
        """An id that no other call has."""
        self._count += 1
        return self._spell(self._count)

    @contextmanager
    def wait(self, waiter: Waiter, about: A, given: K | None = None) -> Iterator[K]:
        """The id to send it with, which some wires give; a caller that leaves no longer waits."""
        our_id = self.name() if given is None else given
        self._waiting[our_id] = waiter, about
        try:
            yield our_id
        finally:
            self._waiting.pop(our_id, None)

    def find(self, our_id: K) -> A | None:
        """What a call is about that still waits."""
        waiter, about = self._waiting.get(our_id, (None, None))
        return about if waiter is not None and not waiter.done() else None

    def answer(self, our_id: K, result: object) -> bool:
        """False where nobody waits for it: it was answered before, or left."""
        waiter = self._find_waiter(our_id)
        if waiter is not None:
            waiter.set_result(result)
        return waiter is not None

    def refuse(self, our_id: K, fault: Exception) -> bool:
        waiter = self._find_waiter(our_id)
        if waiter is not None:
            waiter.set_exception(fault)
        return waiter is not None

    def _find_waiter(self, our_id: K) -> Waiter | None:
        waiter = self._waiting.get(our_id, (None, None))[0]
        return waiter if waiter is not None and not waiter.done() else None

    def fail(self, make_fault: Callable[[], BaseException]) -> None:
        """No more answers come: all of them end."""
        for waiter, _ in self._waiting.values():
            if not waiter.done():
                waiter.set_exception(make_fault())
                waiter.exception()  # somebody may have stopped waiting: that is no news to the loop
        self._waiting.clear()

    def cancel(self) -> None:
        """As `fail`, for the calls of a caller that is gone."""
        for waiter, _ in self._waiting.values():
            waiter.cancel()
