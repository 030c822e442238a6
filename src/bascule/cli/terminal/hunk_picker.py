"""Hunk by hunk: which parts of a change a person wants, one key at a time."""

from collections.abc import Sequence

from msgspec import Struct

from bascule.core.text.visible import visible
from bascule.model.protocol.edits import ChosenFile

MAX_MISTAKES = 5  # in a row; a terminal that was closed answers nothing for ever
KEYS = {
    "y": "this one",
    "n": "not this one",
    "f": "this one and the rest of this file",
    "s": "neither this one nor the rest of this file",
    "a": "this one and all the rest",
    "d": "neither this one nor any of the rest",
    "q": "stop: nothing is written",
}
HELP = "\n".join(f"  {key}  {means}" for key, means in KEYS.items())


class ShownChange(Struct, frozen=True, kw_only=True):
    """A file of a change, as it is shown."""

    path: str
    head: str
    hunks: tuple[str, ...] = ()  # none: it is asked about as a whole
    closed: frozenset[int] = frozenset()  # hunks that nobody is asked about

    @property
    def parts(self) -> tuple[str, ...]:
        return self.hunks or ("",)

    @property
    def open_parts(self) -> tuple[int, ...]:
        return tuple(part for part in range(len(self.parts)) if part not in self.closed)


class HunkPicker:
    """Show `text`, ask `question`, feed the answer; until it is done."""

    def __init__(self, pieces: Sequence[ShownChange], verb: str) -> None:
        self._verb = verb  # what is done to what is chosen: "Apply", "Revert"
        self._pieces = pieces
        self._taken: dict[int, set[int]] = {}  # the parts of each file
        self._at = 0  # the file
        self._part = 0
        self._mistakes = 0
        self.stopped = False
        self._skip_closed()

    @property
    def is_done(self) -> bool:
        return self.stopped or self._at >= len(self._pieces)

    @property
    def text(self) -> str:
        """The hunk, under its file where that is new."""
        piece, part = self._pieces[self._at], self._part
        return (piece.head if part == piece.open_parts[0] else "") + piece.parts[part]

    @property
    def question(self) -> str:
        piece, part = self._pieces[self._at], self._part
        what = f"hunk {part + 1} of {len(piece.hunks)} of" if piece.hunks else "the change of"
        count = f"(file {self._at + 1} of {len(self._pieces)}) " if len(self._pieces) > 1 else ""
        return f"{self._verb} {what} {visible(piece.path)}? {count}[{','.join(KEYS)},?] "

    def feed(self, answer: str) -> str:
        """What to say to it: the help, where it is none of the keys."""
        key = answer.strip().lower()
        if key not in KEYS:
            self._mistakes += 1
            self.stopped = self._mistakes >= MAX_MISTAKES
            return HELP
        self._mistakes = 0
        self.stopped = key == "q"
        if key in "yfa":
            self._take(whole=key != "y")
        self._advance(key)
        return ""

    def _take(self, *, whole: bool) -> None:
        left = [part for part in self._pieces[self._at].open_parts if part >= self._part]
        taken = self._taken.setdefault(self._at, set())
        taken.update(left if whole else left[:1])

    def _advance(self, key: str) -> None:
        """To what is asked about next."""
        if key in "ad":
            if key == "a":
                rest = range(self._at + 1, len(self._pieces))
                self._taken |= {at: set(self._pieces[at].open_parts) for at in rest}
            self._at = len(self._pieces)
        elif key in "yn":
            self._part += 1
        else:
            self._at, self._part = self._at + 1, 0
        self._skip_closed()

    def _skip_closed(self) -> None:
        while not self.is_done:
            piece = self._pieces[self._at]
            following = [part for part in piece.open_parts if part >= self._part]
            if following:
                self._part = following[0]
                return
            self._at, self._part = self._at + 1, 0

    def chosen(self) -> tuple[ChosenFile, ...]:
        """Nothing of a choice that was stopped."""
        if self.stopped:
            return ()
        return tuple(
            ChosenFile(path=self._pieces[at].path, hunks=self._numbers(at, taken))
            for at, taken in sorted(self._taken.items())
            if taken
        )

    def _numbers(self, at: int, taken: set[int]) -> tuple[int, ...] | None:
        """None for all of a file."""
        if len(taken) == len(self._pieces[at].parts):
            return None
        return tuple(part + 1 for part in sorted(taken))
