"""The audit trail's chain: each line holds the hash of the one before, so that none can change alone."""

import hashlib

import msgspec
from msgspec import Struct

BEGIN = "0" * 64


class AuditLine(Struct, frozen=True, kw_only=True):
    """One step of a command, or of a machine: who, what, and how it ended."""

    at_ms: int
    step: str
    command_id: str = ""
    actor: str = ""
    machine: str = ""
    status: str = ""
    detail: str = ""


def hash_audit(before: str, line: AuditLine) -> str:
    return hashlib.sha256(before.encode() + msgspec.json.encode(line)).hexdigest()


def find_break(lines: list[tuple[int, AuditLine, str]], before: str = BEGIN) -> int | None:
    """The number of the first line that is not as it was written; None where all are."""
    for expected, (seq, line, hashed) in enumerate(lines, start=1):
        before = hash_audit(before, line)
        if hashed != before or seq != expected:
            return seq
    return None
