"""session.search: sessions by what was said in them."""

from typing import Literal

from msgspec import Struct

from bascule.model.session import Ended, Status


class SearchSessionsParams(Struct, frozen=True, kw_only=True):
    """Every word must be in one name, prompt, answer or list of changed files. Case does not matter; parts of
    words are found."""

    query: str
    workspace: str = ""  # only its sessions
    limit: int = 30


class FoundText(Struct, frozen=True, kw_only=True, omit_defaults=True):
    found_in: Literal["title", "prompt", "answer", "file"]  # a prompt, or the reason given with a no
    text: str  # one line, cut around what was found
    block_id: str = ""  # empty: the name


class FoundSession(Struct, frozen=True, kw_only=True, omit_defaults=True):
    session_id: str
    title: str
    workspace: str
    status: Status
    outcome: Ended = ""
    updated_at_ms: int = 0
    hits: tuple[FoundText, ...] = ()


class FoundSessions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Found by name first, then by prompt, answer and changed file; the latest first in each."""

    sessions: tuple[FoundSession, ...]
    truncated: bool = False
