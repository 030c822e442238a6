"""Hunk by hunk: which parts of a change a person wants, one key at a time."""

from collections.abc import Sequence

from msgspec import Struct

from bascule.core.diff.visible import visible
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

    @property
    def parts(self) -> tuple[str, ...]:
        return self.hunks or ("",)


class HunkPicker:
    """Show `text`, ask `question`, feed the answer; until it is done."""

    def __init__(self, pieces: Sequence[ShownChange]) -> None:
        self._pieces = pieces
        self._places = [(at, part) for at, piece in enumerate(pieces) for part in range(len(piece.parts))]
        self._taken: set[tuple[int, int]] = set()
        self._at = 0
        self._mistakes = 0
        self.stopped = False

    @property
    def is_done(self) -> bool:
        return self.stopped or self._at >= len(self._places)

    @property
    def text(self) -> str:
        """The hunk, under its file where that is new."""
        at, part = self._places[self._at]
        piece = self._pieces[at]
        return (piece.head if part == 0 else "") + piece.parts[part]

    @property
    def question(self) -> str:
        at, part = self._places[self._at]
        piece = self._pieces[at]
        what = f"hunk {part + 1} of {len(piece.hunks)} of" if piece.hunks else "the change of"
        return f"Take {what} {visible(piece.path)}? [{','.join(KEYS)},?] "

    def feed(self, answer: str) -> str:
        """What to say to it: the help, where it is none of the keys."""
        key = answer.strip().lower()
        if key not in KEYS:
            self._mistakes += 1
            self.stopped = self._mistakes >= MAX_MISTAKES
            return HELP
        self._mistakes = 0
        reach = self._reach(key)
        if key in "yfa":
            self._taken.update(self._places[self._at : reach])
        self.stopped = key == "q"
        self._at = reach
        return ""

    def _reach(self, key: str) -> int:
        """The place that is asked about next."""
        if key in "ad":
            return len(self._places)
        if key in "ynq":
            return self._at + 1
        file = self._places[self._at][0]
        return next(
            (at for at in range(self._at, len(self._places)) if self._places[at][0] != file),
            len(self._places),
        )

    def chosen(self) -> tuple[ChosenFile, ...]:
        """Nothing of a choice that was stopped."""
        if self.stopped:
            return ()
        return tuple(
            ChosenFile(path=piece.path, hunks=self._numbers(at, piece))
            for at, piece in enumerate(self._pieces)
            if any((at, part) in self._taken for part in range(len(piece.parts)))
        )

    def _numbers(self, at: int, piece: ShownChange) -> tuple[int, ...] | None:
        numbers = tuple(part + 1 for part in range(len(piece.parts)) if (at, part) in self._taken)
        return None if len(numbers) == len(piece.parts) else numbers
