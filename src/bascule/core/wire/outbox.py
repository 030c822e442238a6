"""What a surface has not been sent yet: numbered, joined, bounded; a slow reader gets a snapshot."""

from msgspec import Struct

from bascule.model.changes import Change, TextGrew

MAX_WAITING = 2_000  # Changes
MAX_WAITING_TEXT = 4_000_000  # characters of grown text


class Numbered(Struct, frozen=True):
    """`seq` counts a session's Changes from 1; a joined one carries the last number of its parts."""

    seq: int
    change: Change


class Outbox:
    """put() by the hub, take() by the surface. `behind` says that it must ask for a snapshot."""

    def __init__(self) -> None:
        self.behind = False
        self._waiting: list[Numbered] = []
        self._text = 0
        self._pieces: list[str] = []  # of the last one, when it is text that grows

    def put(self, seq: int, change: Change) -> None:
        if self.behind:
            return
        if isinstance(change, TextGrew):
            self._text += len(change.text)
            if self._join(seq, change):
                return
            self._settle()
            self._pieces = [change.text]
        else:
            self._settle()
        self._waiting.append(Numbered(seq, change))
        if len(self._waiting) > MAX_WAITING or self._text > MAX_WAITING_TEXT:
            self._fall_behind()

    def take(self) -> list[Numbered]:
        self._settle()
        waiting, self._waiting, self._text = self._waiting, [], 0
        return waiting

    def restart(self) -> None:
        """A snapshot has been given: Changes count again from there."""
        self.behind = False
        self._waiting, self._pieces, self._text = [], [], 0

    def _join(self, seq: int, change: TextGrew) -> bool:
        if not self._pieces:
            return False
        last = self._waiting[-1].change
        assert isinstance(last, TextGrew)
        if (last.block, last.field, last.part) != (change.block, change.field, change.part):
            return False
        self._pieces.append(change.text)
        self._waiting[-1] = Numbered(seq, last)
        if self._text > MAX_WAITING_TEXT:
            self._fall_behind()
        return True

    def _settle(self) -> None:
        if len(self._pieces) > 1:
            seq, last = self._waiting[-1].seq, self._waiting[-1].change
            assert isinstance(last, TextGrew)
            joined = TextGrew(last.block, last.field, "".join(self._pieces), last.part, last.run)
            self._waiting[-1] = Numbered(seq, joined)
        self._pieces = []

    def _fall_behind(self) -> None:
        self.restart()
        self.behind = True
