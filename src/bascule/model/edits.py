"""Edits: a diff as it was written, and the plan of exactly the bytes that it would make."""

from typing import Literal

from msgspec import Struct

FileKind = Literal["add", "delete", "update", "rename", "copy"]
# What a hunk's line numbers are worth: made by us from the files; the diff's own, and its counts agree with
# its lines; the diff's own, and they do not; none given.
Numbers = Literal["made", "right", "wrong", "none"]


class HunkLine(Struct, frozen=True, gc=False):  # millions of them, and each holds text only
    sign: Literal[" ", "+", "-"]
    text: str  # without its line ending
    ending: Literal["\n", "\r\n", ""] = "\n"  # "" where the file ends without one


class Hunk(Struct, frozen=True, kw_only=True, gc=False):
    old_start: int  # 1-based; 0 where the diff does not say
    new_start: int
    lines: tuple[HunkLine, ...]
    section: str = ""  # what stands after the second @@
    anchors: tuple[str, ...] = ()  # Codex: lines that stand somewhere before it, outer ones first
    at_end: bool = False  # Codex: it ends where the file ends
    numbers: Numbers = "made"
    is_crlf: bool = False  # the diff itself came with CRLF, so a CR of each line was not counted
    extra: tuple[HunkLine, ...] = ()  # after its counts are met: text, or more of it if the counts are wrong
    doubts_text: bool = False  # `extra` is no text: in the same Markdown block, or beside wrong counts


class ShownHunk(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A hunk as surfaces show it: as data, with hidden characters spelt out."""

    number: int  # in its file, from 1
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[str, ...]  # each after its sign: a space, + or -
    unended: tuple[int, ...] = ()  # lines, from 0, with which a file ends without a newline


class HunkSpan(Struct, frozen=True, kw_only=True, gc=False):
    """Where a hunk is in the text of a diff: nobody else has to find out where it ends."""

    first: int  # its first line below the @@ line, counted from 0 in the text
    count: int  # lines, with those that say that a newline is missing
    old_start: int
    new_start: int


MAX_STRIP = 20  # folders that -p may leave out of names


class FileDiff(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    kind: FileKind
    path: str  # where it is, or will be
    source: str | None = None  # of a rename or a copy
    hunks: tuple[Hunk, ...] = ()
    mode_before: str | None = None  # "100644"
    mode_after: str | None = None
    binary: bool = False
    also: str | None = None  # what Git, which always drops a top folder, would take its path for
    by_name: bool = False  # Codex: deleted whatever it holds
    stripped: int | None = None  # folders that were left out of its names, as -p counts them; Codex: None


class Diff(Struct, frozen=True):
    files: tuple[FileDiff, ...]


class Moved(Struct, frozen=True):
    """A hunk that was found elsewhere than the diff says."""

    hunk: int  # from 1
    offset: int  # lines


class PlannedFile(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    path: str  # relative to the workspace, with slashes
    kind: FileKind
    before_hash: str | None  # sha256 of the bytes that must be there; None: nothing may be there
    after: bytes | None  # None: the file goes
    source: str | None = None  # of a rename or a copy; a rename's source goes
    source_hash: str | None = None
    mode_before: int | None = None  # where it changes or the file goes: what it must be, as Git has it
    mode_after: int | None = None  # None: as it was
    additions: int = 0
    deletions: int = 0
    moved: tuple[Moved, ...] = ()
    beside: str | None = None  # the file of this plan without which a part may not have it


class EditPlan(Struct, frozen=True, kw_only=True):
    """What is shown is what is written: `hash` covers every path, hash, byte and mode of it."""

    files: tuple[PlannedFile, ...]
    hash: str  # sha256, hex

    @property
    def short(self) -> str:
        return short_hash(self.hash)


def short_hash(plan: str) -> str:
    """Enough of it for a person to compare."""
    return plan[:12]


class EditRefused(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a diff cannot be applied as it is; a value, not an error."""

    why: str  # one sentence: what, where, what next
    reason: str = ""  # what alone
    advice: str = ""  # what next alone, where a new diff would help
    path: str = ""
    hunk: int | None = None  # from 1
    line: int | None = None  # of the file, from 1
    remote: str = ""  # the same without what the file holds, where `why` quotes it


class Applied(Struct, frozen=True, kw_only=True):
    """A plan that was written, or one that was undone: `journal` is what undoes it."""

    journal: str
    hash: str  # of the plan
    files: tuple[str, ...]
    at_ms: int
