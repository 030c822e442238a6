"""Attachments: what hangs on a block beside its text, to be looked at or acted on."""

from typing import Any

from msgspec import Struct


class DiffFileSummary(Struct, frozen=True, kw_only=True):
    path: str
    additions: int
    deletions: int


class AttachmentBase(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    title: str = ""


class DiffAttachment(AttachmentBase, frozen=True, kw_only=True, tag="diff"):
    """A diff that has been checked against the files: viewed and applied by its id alone."""

    diff_id: str
    unified_diff: str
    files: tuple[DiffFileSummary, ...]


class LogsAttachment(AttachmentBase, frozen=True, kw_only=True, tag="logs"):
    text: str


class StatusAttachment(AttachmentBase, frozen=True, kw_only=True, tag="status"):
    json: Any


class ErrorAttachment(AttachmentBase, frozen=True, kw_only=True, tag="error"):
    code: str
    message: str
    details: Any = None


Attachment = DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment
