"""The record: who asked for what, what was answered, and the outcome; one Entry for each."""

from typing import Literal

from msgspec import Struct

Kind = Literal[
    "ask",
    "apply",
    "undo",
    "test",
    "shell",
    "logout",
    "delete",
    "setting",
    "trust",
    "folder",
    "grant",
    "hooks",
    "join",
    "pane",
    "device",
    "pass",
    "order",
    "command",
    "record",
]
Lasts = Literal["once", "run", "session", "always", "unknown"]  # how long a yes holds
Reply = Literal["yes", "no", "none"]  # none: nobody was asked, or nobody answered
# started: the line of its end follows, also after a crash
Outcome = Literal[
    "started",
    "done",
    "rejected",
    "refused",
    "failed",
    "expired",
    "withdrawn",
    "cancelled",
    "timed_out",
    "not_allowed",
]
# torn, headless: of records that were files; removed: lines before this one are gone
Note = Literal["", "torn", "headless", "removed"]


class Local(Struct, frozen=True, kw_only=True, tag_field="from", tag="local", omit_defaults=True):
    """Somebody at this machine."""

    surface: str  # the door: terminal, stdio, page
    person: str = ""
    client: str = ""  # what the program calls itself: its own word, and no proof of anything
    credential: str = ""  # the pass it came with


class Outside(Struct, frozen=True, kw_only=True, tag_field="from", tag="outside", omit_defaults=True):
    """Somebody at another machine, over the outer door."""

    credential: str  # the pass it came with
    device: str = ""  # id of the enrolled device that proved itself; empty: none did
    device_name: str = ""
    client: str = ""  # its own word, as above


class Remote(Struct, frozen=True, kw_only=True, tag_field="from", tag="remote", omit_defaults=True):
    """Somebody who sent an Order."""

    user: str
    command_id: str
    via: str = ""


Who = Local | Outside | Remote
Asker = str | Who  # a surface, somebody who sent an Order, or a part of this program by its name


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    at_ms: int
    kind: Kind
    who: Who
    asked: str  # in words: the files, the command, the setting
    outcome: Outcome
    answer: Reply = "none"
    lasts: Lasts = "once"  # of the answer
    rule: str = ""  # of an answer that lasts: what the agent keeps to from then on
    answered_by: Local | Outside | None = None  # where it was another than who asked
    asked_by: Outside | Remote | None = None  # of an answer: who caused the question, from another machine
    hash: str = ""  # of the plan or the command that the answer is bound to
    workspace: str = ""
    ref: str = ""  # the journal, the Ask or the test run
    why: str = ""


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An Entry in its place in the chain."""

    seq: int  # from 1
    before: str  # sha256 of the bytes of the line before
    entry: Entry
    note: Note = ""  # what was found wrong with the record when this was written


class Anchor(Struct, frozen=True, kw_only=True):
    """How far the record had come, kept outside it: what is removed as a whole is missed here."""

    first: int  # the oldest line
    seq: int  # the last line
    hash: str  # of the last line
    at_ms: int = 0  # when that line was written


class RecordProblem(Struct, frozen=True):
    """Something in the record is not as it was written."""

    line: int | None  # None: the record as a whole
    what: str

    def __str__(self) -> str:
        return f"the record: {self.what}" if self.line is None else f"line {self.line}: {self.what}"
