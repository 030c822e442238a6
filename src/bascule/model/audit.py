"""The record: who asked for what, what was answered, and what came of it; one Entry for each."""

from typing import Literal

from msgspec import Struct

Kind = Literal["ask", "apply", "undo", "test", "setting", "order"]
Reply = Literal["yes", "no", "none"]  # none: nobody was asked, or nobody answered
Outcome = Literal[
    "done", "rejected", "refused", "failed", "expired", "withdrawn", "cancelled", "timed_out", "not_allowed"
]
Note = Literal["", "torn", "headless"]


class Local(Struct, frozen=True, kw_only=True, tag_field="from", tag="local", omit_defaults=True):
    """Somebody at this machine."""

    surface: str  # terminal, browser, vscode
    person: str = ""


class Remote(Struct, frozen=True, kw_only=True, tag_field="from", tag="remote", omit_defaults=True):
    """Somebody who sent an Order."""

    user: str
    command_id: str
    via: str = ""


Who = Local | Remote
Asker = str | Remote  # a surface here by its name, or somebody from afar


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    at_ms: int
    kind: Kind
    who: Who
    asked: str  # in words: the files, the command, the setting
    outcome: Outcome
    answer: Reply = "none"
    answered_by: Local | None = None  # where it was another than who asked
    hash: str = ""  # of the plan or the command that the answer is bound to
    workspace: str = ""
    ref: str = ""  # the journal, the Ask or the test run
    why: str = ""


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An Entry in its place in the chain."""

    seq: int  # from 1
    before: str  # sha256 of the bytes of the line before
    entry: Entry
    note: Note = ""  # what was found wrong at the end of the log when this was written


class Head(Struct, frozen=True, kw_only=True):
    """The end of the log as it was last written, kept beside it so that a cut is seen."""

    seq: int = 0
    hash: str = "0" * 64  # of the last line
    size: int = 0  # bytes of the file that is being written
    begins: int = 1  # the first line of that file
    first: int = 1  # the oldest line that is kept
    base: str = "0" * 64  # the hash of the line before that


class Problem(Struct, frozen=True):
    """Something in the log is not as it was written."""

    file: str
    line: int | None  # in that file, from 1; None: the file as a whole
    what: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file} line {self.line}"
        return f"{place}: {self.what}"
