"""The outcome of a prompt: the run that has its words, and how that ended."""

from typing import Literal

from msgspec import Struct

from bascule.model.asks import Refuse
from bascule.model.ids import PromptKey, RunId

# failed: as the agent says; lost: the agent is gone; unsent: it waits in the queue, for a person to look at;
# removed: somebody removed it
HowEnded = Literal["completed", "failed", "lost", "interrupted", "unsent", "removed"]


class OfferedDiff(Struct, frozen=True, kw_only=True):
    """A diff that fits the files, to be applied after a yes."""

    diff_id: str
    title: str
    answer: str  # the agent's own words: without what the files around its lines hold
    plan: str = ""  # the hash that a yes to it is bound to


class PromptEnd(Struct, frozen=True, kw_only=True):
    how: HowEnded
    run: RunId | None = None
    why: str = ""
    diff: OfferedDiff | Refuse | None = None  # where one was asked for


class Began(Struct, frozen=True):
    """A run has its words."""

    key: PromptKey
    run: RunId


class Ended(Struct, frozen=True):
    key: PromptKey
    end: PromptEnd


PromptNews = Began | Ended
