"""What is seen of sessions that others started: a Signal, and the line that a board shows."""

from typing import Literal

from msgspec import Struct

from bascule.model.session import Status

VIEWED = "watched:"  # before a key of the board: the id under which such a session is looked at

# Where a status comes from, best first.
Source = Literal["protocol", "pane", "socket", "registry", "hook", "rollout"]


class Signal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An Event reduced to what the status of a watched session needs."""

    source: Source
    agent: str
    session: str  # the agent's own id of it
    evidence: str  # what was seen, in the source's own words
    status: Status = "unknown"  # unknown: this source does not, or no longer, say
    at_ms: int = 0  # when it happened, as the source says; 0: it does not say
    cwd: str = ""
    branch: str = ""
    title: str = ""
    doing: str = ""  # what the agent is at, or what it waits for
    pane: str = ""
    pid: int = 0  # of the agent's own process, where the source names it
    our_id: str = ""  # of a session that is driven here
    hidden: bool = False  # made by the agent for itself: a title, a sub-agent


class WatchedSession(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session's line on the board, no matter who started it."""

    key: str  # agent and id
    agent: str
    their_id: str
    status: Status
    source: Source  # which one decided
    evidence: str = ""
    since_ms: int = 0  # the status is so since
    heard_at_ms: int = 0  # when that source last said so
    activity_at_ms: int = 0  # the last that any source said
    title: str = ""
    doing: str = ""
    cwd: str = ""
    branch: str = ""
    pane: str = ""
    is_still: bool = False  # at work, and its pane shows nothing new: a mark beside the status, never one
    session_id: str = ""  # ours, where it is driven here
