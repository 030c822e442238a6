"""What is wrong with something that is watched: said once, and the rest goes on."""

import logging

from bascule.core.bounded import forget_oldest

MAX_REMEMBERED = 1_000

log = logging.getLogger("bascule.watch")


class WatchFaults:
    def __init__(self) -> None:
        self._said: dict[tuple[str, str], None] = {}

    def report(self, where: str, why: str) -> None:
        if (where, why) in self._said:
            return
        self._said[where, why] = None
        forget_oldest(self._said, MAX_REMEMBERED)
        log.warning("%s cannot be watched: %s. Everything else still is.", where, why)

    def forget(self, where: str) -> None:
        """It works again: the next fault is said again."""
        self._said = {key: None for key in self._said if key[0] != where}

    @property
    def said(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._said)


def why_of(fault: OSError) -> str:
    return fault.strerror or type(fault).__name__
