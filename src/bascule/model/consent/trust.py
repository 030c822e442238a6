"""Workspace trust: what a folder's own files would make an agent run or obey, and what was decided."""

from typing import Literal

from msgspec import Struct

FindingKind = Literal[
    "server",  # an MCP server that is started or connected to
    "hook",  # a command that runs when something happens
    "rule",  # commands that run without a question, or with wider rights
    "environment",
    "instructions",
    "skill",
    "setting",
    "broken",  # a file that cannot be read as what it should be
]
Reader = Literal["codex", "claude", "bascule"]  # who would obey it
Decision = Literal["trusted", "refused"]
FolderNow = Literal[
    "same",  # as it was when it was decided about
    "changed",  # so its next use asks again
    "gone",  # or nothing in it to decide about any more
]


class TrustFinding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: FindingKind
    path: str  # from the folder on; files above it begin with ../
    text: str  # one readable line
    content: str = ""  # of instructions and skills, which an agent follows: all of the file
    reader: Reader = "codex"
    changed: bool = False  # since the folder was last decided about


class TrustedFolder(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person decided about a folder, with the content it had then."""

    folder: str
    decision: Decision
    files: dict[str, str]  # path -> SHA-256 of what counts in it
    decided_at_ms: int = 0
    by: str = ""  # the surface
