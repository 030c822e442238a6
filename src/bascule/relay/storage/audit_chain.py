"""The audit trail's chain: each line holds the hash of the one before, so that none can change alone."""

import hashlib
from collections.abc import Iterable

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


class AuditHead(Struct, frozen=True):
    """The end of the trail: the number and hash of its latest line."""

    seq: int = 0
    hash: str = BEGIN


def hash_audit(before: str, line: AuditLine) -> str:
    return hashlib.sha256(before.encode() + msgspec.json.encode(line)).hexdigest()


def follow_chain(
    head: AuditHead, lines: Iterable[tuple[int, AuditLine, str]]
) -> tuple[AuditHead, int | None]:
    """The head after these lines, and the number of the first that is not as it was written."""
    for seq, line, hashed in lines:
        expected = AuditHead(head.seq + 1, hash_audit(head.hash, line))
        if (seq, hashed) != (expected.seq, expected.hash):
            return head, seq
        head = expected
    return head, None
