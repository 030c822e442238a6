"""Modes that a program set in a terminal, so that a screen which is drawn again behaves as before."""

import re

CHANGE = re.compile(rb"\x1b(?:\[\?([0-9;]{1,64})([hl])|([=>])|(c)|(\[!p))")
MAX_UNFINISHED = 70  # bytes
UNFINISHED = re.compile(rb"\x1b(?:\[(?:[?!][0-9;]{0,64})?)?\Z")
# On when a terminal starts: wrapping, the cursor. Of the others those that decide what keys and screens do.
USUAL = frozenset({7, 25})
KEPT = USUAL | {1, 6, 45, 47, 66, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1049, 2004}
FULL_SCREEN = frozenset({47, 1047, 1049})


class ScreenModes:
    """`feed` the bytes in order, cut anywhere."""

    def __init__(self) -> None:
        self._set = set(USUAL)
        self._keypad = False
        self._rest = b""

    def feed(self, data: bytes) -> None:
        if not self._rest and b"\x1b" not in data:
            return
        data = self._rest + data
        for change in CHANGE.finditer(data):
            self._apply(change)
        unfinished = UNFINISHED.search(data, max(0, len(data) - MAX_UNFINISHED))
        self._rest = unfinished.group() if unfinished else b""

    def _apply(self, change: "re.Match[bytes]") -> None:
        numbers, way, keypad, reset, soft_reset = change.groups()
        if numbers is not None:
            named = {int(number) for number in numbers.split(b";") if number and len(number) <= 5} & KEPT
            self._set = self._set | named if way == b"h" else self._set - named
        elif keypad is not None:
            self._keypad = keypad == b"="
        elif reset is not None:
            self._set, self._keypad = set(USUAL), False
        elif soft_reset is not None:
            self._set, self._keypad = (self._set & FULL_SCREEN) | USUAL, False

    def replay(self) -> bytes:
        """What brings a fresh terminal into these modes."""
        off = b"".join(b"\x1b[?%dl" % mode for mode in sorted(USUAL - self._set))
        on = b"".join(b"\x1b[?%dh" % mode for mode in sorted(self._set - USUAL))
        return off + on + (b"\x1b=" if self._keypad else b"")
