"""Every method of the protocol held against its row of the access table: what it asks, what it records."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pytest

from bascule.core.consent.access import RULES
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record
from bascule.daemon.protocol.dispatch import HANDLERS

_method: ContextVar[str] = ContextVar("_method", default="")  # also in the tasks that a method starts


@contextmanager
def held_against_the_table(patch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """For the applications of this process: what was asked or recorded, and is promised by no row."""
    broken: set[str] = set()
    ask, entry = Asks.ask, Record.entry

    def asks(self: Asks, session: Any, title: str, *rest: Any, **named: Any) -> Awaitable[Any]:
        method = _method.get()
        if method and not RULES[method].ask:
            broken.add(f"{method} asks {title!r}, and its row names no Ask")
        return ask(self, session, title, *rest, **named)

    def records(self: Record, kind: Any, *rest: Any, **named: Any) -> Any:
        method = _method.get()
        if method and kind not in RULES[method].record.split(", "):
            broken.add(f"{method} records {kind!r}, and its row does not say so")
        return entry(self, kind, *rest, **named)

    patch.setattr(Asks, "ask", asks)
    patch.setattr(Record, "entry", records)
    for name, handler in HANDLERS.items():
        patch.setitem(HANDLERS, name, _named(name, handler))
    yield broken


def _named(name: str, handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def handle(*words: Any) -> Any:
        token = _method.set(name)
        try:
            return await handler(*words)
        finally:
            _method.reset(token)

    return handle
