"""What is wrong with something that is watched: said once, and the rest goes on."""

import logging
from collections.abc import Callable

from bascule.core.bounded import forget_oldest

MAX_REMEMBERED = 1_000  # places

log = logging.getLogger("bascule.watch")


class WatchFaults:
    """`on_change` hears that the list is another; from whatever thread."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, None]] = {}  # place: what is wrong there
        self.on_change: Callable[[], object] = lambda: None

    def report(self, where: str, why: str) -> None:
        here = self._said.setdefault(where, {})
        if why in here:
            return
        here[why] = None
        forget_oldest(self._said, MAX_REMEMBERED)
        log.warning("%s cannot be watched: %s. Everything else still is.", where, why)
        self.on_change()

    def forget(self, where: str) -> None:
        """It works again, or is gone: the next fault is said again."""
        if self._said.pop(where, None) is not None:
            self.on_change()

    @property
    def said(self) -> tuple[tuple[str, str], ...]:
        return tuple((where, why) for where, here in list(self._said.items()) for why in list(here))


def why_of(fault: OSError) -> str:
    return fault.strerror or type(fault).__name__
