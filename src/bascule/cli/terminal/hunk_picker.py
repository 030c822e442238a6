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

    @property
    def parts(self) -> tuple[str, ...]:
        return self.hunks or ("",)


class HunkPicker:
    """Show `text`, ask `question`, feed the answer; until it is done."""

    def __init__(self, pieces: Sequence[ShownChange], verb: str) -> None:
        self._verb = verb  # what is done to what is chosen: "Apply", "Revert"
        self._pieces = pieces
        self._taken: dict[int, set[int] | None] = {}  # the parts of each file; None for all of it
        self._at = 0  # the file
        self._part = 0
        self._mistakes = 0
        self.stopped = False

    @property
    def is_done(self) -> bool:
        return self.stopped or self._at >= len(self._pieces)

    @property
    def text(self) -> str:
        """The hunk, under its file where that is new."""
        piece, part = self._pieces[self._at], self._part
        return (piece.head if part == 0 else "") + piece.parts[part]

    @property
    def question(self) -> str:
        piece, part = self._pieces[self._at], self._part
        what = f"hunk {part + 1} of {len(piece.hunks)} of" if piece.hunks else "the change of"
        return f"{self._verb} {what} {visible(piece.path)}? [{','.join(KEYS)},?] "

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
        if whole and self._part == 0:
            self._taken[self._at] = None
            return
        count = len(self._pieces[self._at].parts) if whole else self._part + 1
        taken = self._taken.setdefault(self._at, set())
        assert taken is not None
        taken.update(range(self._part, count))

    def _advance(self, key: str) -> None:
        """To what is asked about next."""
        if key in "ad":
            if key == "a":
                self._taken |= dict.fromkeys(range(self._at + 1, len(self._pieces)))
            self._at = len(self._pieces)
        elif key in "yn" and self._part + 1 < len(self._pieces[self._at].parts):
            self._part += 1
        else:
            self._at, self._part = self._at + 1, 0

    def chosen(self) -> tuple[ChosenFile, ...]:
        """Nothing of a choice that was stopped."""
        if self.stopped:
            return ()
        return tuple(
            ChosenFile(path=self._pieces[at].path, hunks=self._numbers(at, taken))
            for at, taken in sorted(self._taken.items())
        )

    def _numbers(self, at: int, taken: set[int] | None) -> tuple[int, ...] | None:
        if taken is None or len(taken) == len(self._pieces[at].parts):
            return None
        return tuple(part + 1 for part in sorted(taken))
