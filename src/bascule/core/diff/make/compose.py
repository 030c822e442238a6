"""Edits one after the other, combined into one: what a run changed of each file from start to end.

The files themselves are not needed: an edit has its lines and where they were, and what no edit
has stays a gap of so many lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from bascule.core.diff.make.compare import make_hunks
from bascule.model.edits import FileDiff, FileKind, Hunk, HunkLine

BEYOND = 1 << 40  # lines; how many a file has is unknown

By = Literal["agent", "command"]
Part = int | HunkLine  # lines that no edit has, or one that an edit has


class Edit(Struct, frozen=True, kw_only=True):
    """One edit of one file."""

    path: str
    change: Literal["add", "delete", "update"]
    hunks: tuple[Hunk, ...] = ()
    moved_to: str | None = None
    by: By = "agent"
    unknown: str = ""  # why its lines are missing: binary, too large


class Composed(Struct, frozen=True, kw_only=True):
    file: FileDiff
    by: tuple[By, ...]  # who edited it, the first first
    loose: bool = False  # somebody else edited it in between, so its hunks are those of each edit
    unknown: str = ""


class Mismatch(Exception):
    """An edit does not fit what the earlier ones left."""


def compose(edits: Iterable[Edit]) -> list[Composed]:
    """In the order in which each file was first touched; what came to nothing is left out."""
    sketches: list[Sketch] = []
    for edit in edits:
        sketch = _find(sketches, edit)
        if sketch is None:
            sketch = Sketch(edit.path, existed=edit.change != "add")
            sketches.append(sketch)
        sketch.take(edit)
    return [composed for sketch in sketches if (composed := sketch.composed()) is not None]


def _find(sketches: "list[Sketch]", edit: Edit) -> "Sketch | None":
    """Of the file that is there under that name; one that went may come back."""
    named = [sketch for sketch in reversed(sketches) if sketch.path == edit.path]
    return next((sketch for sketch in named if sketch.gone == (edit.change == "add")), None)


class Sketch:
    """A file as far as its edits tell of it. Lines with a minus were there at the start only."""

    def __init__(self, path: str, *, existed: bool) -> None:
        self.path = path
        self.gone = not existed
        self._origin = path if existed else None
        self._parts: list[Part] = [BEYOND] if existed else []
        self._later: list[Hunk] | None = None  # since an edit that did not fit
        self._by: dict[By, None] = {}
        self._unknown = ""

    def take(self, edit: Edit) -> None:
        self._by[edit.by] = None
        self._unknown = self._unknown or edit.unknown
        self._splice(edit)
        self.gone = edit.change == "delete"
        self.path = edit.moved_to or edit.path

    def _splice(self, edit: Edit) -> None:
        if self._later is not None:
            self._later += map(_without_place, edit.hunks)
            return
        try:
            parts = splice_parts(self._parts, edit.hunks)
            if edit.change == "delete":
                parts = _emptied(parts)
        except Mismatch:
            self._later = [_without_place(hunk) for hunk in edit.hunks]
        else:
            self._parts = parts

    def composed(self) -> Composed | None:
        kind = self._kind()
        hunks = tuple(_hunks(self._parts))
        if kind is None or (kind == "update" and not (hunks or self._later or self._unknown)):
            return None
        if self._later is not None:
            hunks = (*map(_without_place, hunks), *self._later)
        source = self._origin if kind == "rename" else None
        path = self.path if kind != "delete" or self._origin is None else self._origin
        return Composed(
            file=FileDiff(kind=kind, path=path, source=source, hunks=hunks),
            by=tuple(self._by),
            loose=self._later is not None,
            unknown=self._unknown,
        )

    def _kind(self) -> FileKind | None:
        if self.gone:
            return None if self._origin is None else "delete"
        if self._origin is None:
            return "add"
        return "update" if self._origin == self.path else "rename"


def splice_parts(parts: Sequence[Part], hunks: Iterable[Hunk]) -> list[Part]:
    walk = _Walk(parts)
    for hunk in hunks:
        has_old = any(line.sign != "+" for line in hunk.lines)
        walk.go_to(hunk.old_start - 1 if has_old else hunk.old_start)
        for line in hunk.lines:
            walk.put(line)
    return walk.finish()


class _Walk:
    """From the first line of the file to the last, leaving behind what the hunks make of it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._ahead = list(reversed(parts))
        self._behind: list[Part] = []
        self._at = 0

    def go_to(self, line: int) -> None:
        if line < self._at:
            raise Mismatch
        while self._at < line:
            part = self._next()
            if isinstance(part, int):
                step = min(part, line - self._at)
                self._behind.append(step)
                self._at += step
                if part > step:
                    self._ahead.append(part - step)
            else:
                self._behind.append(part)
                self._at += 1

    def put(self, line: HunkLine) -> None:
        if line.sign == "+":
            self._behind.append(line)
            return
        part = self._next()
        self._at += 1
        if isinstance(part, int):
            if part > 1:
                self._ahead.append(part - 1)
            self._behind.append(line)
        elif (part.text, part.ending) != (line.text, line.ending):
            raise Mismatch
        elif line.sign == " ":
            self._behind.append(part)
        elif part.sign == " ":
            self._behind.append(line)

    def finish(self) -> list[Part]:
        return [*self._behind, *reversed(self._ahead)]

    def _next(self) -> Part:
        """The next line that is there now; those that went are left where they are."""
        while self._ahead:
            part = self._ahead.pop()
            if isinstance(part, int) or part.sign != "-":
                return part
            self._behind.append(part)
        raise Mismatch


def _emptied(parts: list[Part]) -> list[Part]:
    """A deletion tells all lines: none may be left, and there were no others."""
    lines = [part for part in parts if not isinstance(part, int)]
    if any(line.sign != "-" for line in lines) or any(part < BEYOND // 2 for part in _gaps(parts)):
        raise Mismatch
    return list(lines)


def _gaps(parts: list[Part]) -> list[int]:
    return [part for part in parts if isinstance(part, int)]


def _hunks(parts: list[Part]) -> Iterator[Hunk]:
    """Each stretch of known lines compared again: what was reverted on the way is no change."""
    old_at = new_at = 0
    shown: list[HunkLine] = []
    for part in [*parts, 0]:
        if not isinstance(part, int):
            shown.append(part)
            continue
        old = [line for line in shown if line.sign != "+"]
        new = [line for line in shown if line.sign != "-"]
        yield from make_hunks(old, new, old_first=old_at, new_first=new_at)
        old_at, new_at, shown = old_at + len(old) + part, new_at + len(new) + part, []


def _without_place(hunk: Hunk) -> Hunk:
    return Hunk(old_start=0, new_start=0, lines=hunk.lines, section=hunk.section)
