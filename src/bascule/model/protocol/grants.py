"""grants.*: what an agent may do without asking again, and how that is revoked."""

from msgspec import Struct

from bascule.model.consent.audit import Lasts


class Grant(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str  # of the Ask that it answered
    asked: str  # the command, the files, the tool
    lasts: Lasts
    rule: str = ""  # what the agent keeps to from then on
    at_ms: int = 0
    by: str = ""  # who said yes
    revocable: bool = False  # here; otherwise the agent keeps it in a file of its own
    kept_in: str = ""  # that file


class GrantList(Struct, frozen=True, kw_only=True):
    grants: tuple[Grant, ...]  # the latest first


class RevokeGrantParams(Struct, frozen=True, kw_only=True):
    session_id: str
    grant_id: str
