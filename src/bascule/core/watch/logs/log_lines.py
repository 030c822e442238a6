"""What the logs of all agents have in common: texts of unknown shape, and a line that is too long."""

from bascule.model.blocks import SystemBlock
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

MAX_SHOWN = 200_000  # characters of one text of a block; the last ones are kept
MAX_OPEN = 1_000  # calls whose result has not come yet


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def texts_of(content: object) -> list[str]:
    """Of a text, or of parts that have one."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    found = [part.get("text") for part in parts if isinstance(part, dict)]
    return [text for text in found if isinstance(text, str)]


def make_cut_block(name: BlockId, run: RunId | None = None) -> SystemBlock:
    return SystemBlock(
        id=name, run=run, title="A line that is too long to be shown is left out", said=Said("watch.cut")
    )


def make_tail_block() -> SystemBlock:
    """Before the first that is read of a long file."""
    return SystemBlock(
        id=BlockId("tail"), title="Only the end of this session is shown", said=Said("watch.tail")
    )


def make_missing_block() -> SystemBlock:
    return SystemBlock(
        id=BlockId("missing"), title="Nothing of this session is stored yet", said=Said("watch.missing")
    )
