"""Which sessions leave memory: those used longest ago, as soon as the idle ones together are too much."""

from collections.abc import Iterable

from msgspec import Struct

from bascule.model.changes import BlockPut, Change, TextGrew
from bascule.model.ids import SessionId

# Of sessions in memory that nobody watches and in which nothing goes on. They come back within moments.
MAX_IDLE_SESSIONS = 20
MAX_IDLE_BLOCKS = 30_000
MAX_IDLE_TEXT = 32_000_000  # bytes of text, about

TEXTS = ("text", "output", "detail")  # the long ones of a block


class Idle(Struct, frozen=True):
    session: SessionId
    used: int  # the larger, the later
    blocks: int
    text: int


def choose_leaving(idle: Iterable[Idle]) -> list[SessionId]:
    """The latest one stays however large it is: who looks at it again does not wait again."""
    kept = blocks = text = 0
    leaving: list[SessionId] = []
    for one in sorted(idle, key=lambda one: one.used, reverse=True):
        blocks, text, kept = blocks + one.blocks, text + one.text, kept + 1
        is_too_much = kept > MAX_IDLE_SESSIONS or blocks > MAX_IDLE_BLOCKS or text > MAX_IDLE_TEXT
        if kept > 1 and is_too_much:
            leaving.append(one.session)
    return leaving


def text_size(change: Change) -> int:
    """How much a Change adds, about; what it replaces is not counted back."""
    if isinstance(change, TextGrew):
        return len(change.text)
    if isinstance(change, BlockPut):
        return sum(len(getattr(change.block, name, "")) for name in TEXTS)
    return 0
