"""Hunks put into a file's lines: every byte that no hunk speaks of stays, and so do its line endings."""

from itertools import pairwise
from typing import NamedTuple

from bascule.core.diff.content import BOM, LF, Content, to_bytes
from bascule.core.diff.place import Asked, SearchText, ask
from bascule.core.diff.refusal import refusal
from bascule.core.diff.visible import visible
from bascule.model.edits import FileDiff, Hunk, HunkLine, Moved


class Spliced(NamedTuple):
    after: bytes
    moved: tuple[Moved, ...]


class Placed(NamedTuple):
    start: int  # line, from 0
    asked: Asked

    @property
    def end(self) -> int:
        return self.start + len(self.asked.old)


def splice(file: FileDiff, path: str, data: bytes) -> Spliced:
    """`path` is where the bytes are from. Refused (by raising) where a hunk has no certain place."""
    if not file.hunks:
        return Spliced(data, ())
    asked = [ask(path, number, hunk) for number, hunk in enumerate(file.hunks, 1)]
    mark = BOM if data.startswith(BOM) and not _speaks_of_mark(asked) else b""
    content = Content(data[len(mark) :])
    placed = _place(SearchText(content, asked), asked)
    moved = tuple(
        Moved(one.asked.number, one.start + 1 - one.asked.hunk.old_start)
        for one in placed
        if one.asked.old and one.asked.hunk.old_start not in (0, one.start + 1)
    )
    after = _Splicer(content, placed).join()
    return Spliced(mark + after if after else b"", moved)


def make_new(file: FileDiff) -> bytes:
    """The bytes of a file that consists of added lines."""
    lines = [line for hunk in file.hunks for line in hunk.lines]
    stray = next((number for number, line in enumerate(lines, 1) if line.sign != "+"), None)
    early = next((number for number, line in enumerate(lines[:-1], 1) if line.ending == ""), None)
    if stray or early:
        what = "is not added" if stray else "is said to end the file, and does not"
        raise refusal(
            f"{visible(file.path)} is a new file, and its line {stray or early} {what}. "
            "Ask for the diff again.",
            file.path,
            line=stray or early,
        )
    return b"".join([to_bytes(line.text + line.ending) for line in lines])


def _speaks_of_mark(asked: list[Asked]) -> bool:
    """Git shows the byte order mark as part of the first line; models leave it out."""
    return any(text.startswith(BOM) for one in asked for text in one.old)


def _place(ground: SearchText, asked: list[Asked]) -> list[Placed]:
    """In the order of the file. Once a hunk was found elsewhere, stated lines are no evidence any more."""
    placed, trusts_numbers = [], True
    for one in asked:
        start = ground.find(one, trusts_numbers=trusts_numbers)
        trusts_numbers = trusts_numbers and _is_as_stated(one, start)
        placed.append(Placed(start, one))
    placed.sort(key=lambda place: place.start)
    for before, after in pairwise(placed):
        if after.start < before.end:
            raise after.asked.refuse(
                f"it overlaps hunk {before.asked.number} at line {after.start + 1}. "
                "Ask for the diff again, with the two as one hunk.",
                after.start + 1,
            )
    return placed


def _is_as_stated(asked: Asked, start: int) -> bool:
    return not asked.old or asked.hunk.old_start in (0, start + 1)


class _Splicer:
    def __init__(self, content: Content, placed: list[Placed]) -> None:
        self._content = content
        self._placed = placed
        self._usual = content.usual_ending
        self._is_verbatim = _speaks_endings(content, placed)
        self._texts: list[bytes] = []
        self._endings: list[bytes] = []
        self._last: tuple[int, Asked] | None = None  # what a hunk says is the last line

    def join(self) -> bytes:
        at = 0
        for one in self._placed:
            self._keep(at, one.start)
            self._put(one)
            at = one.end
        self._keep(at, len(self._content))
        self._check_last()
        if b"" in self._endings[:-1]:  # it was the last line, and is not any more
            self._endings[self._endings.index(b"")] = self._usual
        return b"".join([part for line in zip(self._texts, self._endings, strict=True) for part in line])

    def _keep(self, start: int, end: int) -> None:
        self._texts += self._content.texts[start:end]
        self._endings += self._content.endings[start:end]

    def _put(self, one: Placed) -> None:
        at, gone = one.start, 0  # removed lines that no added one has replaced yet
        for line in one.asked.hunk.lines:
            match line.sign:
                case " ":
                    self._keep(at, at + 1)
                    at, gone = at + 1, 0
                case "-":
                    at, gone = at + 1, gone + 1
                    continue
                case "+":
                    self._texts.append(to_bytes(line.text))
                    self._endings.append(self._ending_for(line, at - max(gone, 1)))
                    gone -= gone > 0
            if line.ending == "":
                self._note_last(one.asked)

    def _ending_for(self, line: HunkLine, neighbour: int) -> bytes:
        if self._is_verbatim or line.ending == "":
            return line.ending.encode()
        near = min(max(neighbour, 0), len(self._content) - 1)
        return (self._content.endings[near] if near >= 0 else b"") or self._usual

    def _note_last(self, asked: Asked) -> None:
        if self._last is None:
            self._last = len(self._texts), asked

    def _check_last(self) -> None:
        if self._last is not None and self._last[0] != len(self._texts):
            number, asked = self._last
            raise asked.refuse(
                f"it says that the file ends with line {number}, and the file goes on. "
                "Ask for the diff again, made from the file as it is.",
                number,
            )


def _speaks_endings(content: Content, placed: list[Placed]) -> bool:
    """Whether the diff has the file's own line endings, so that those of added lines are meant as written."""
    seen = False
    for one in placed:
        old = (line for line in one.asked.hunk.lines if line.sign != "+")
        for number, line in enumerate(old, one.start):
            ending = content.endings[number]
            if ending and ending != line.ending.encode():
                return False
            seen = True
    return seen or not all(_adds_plain(one.asked.hunk) for one in placed)


def _adds_plain(hunk: Hunk) -> bool:
    return all(line.ending.encode() == LF for line in hunk.lines if line.sign == "+")
