"""A session's past, rebuilt from what Codex itself kept."""

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from bascule.agents.codex.events.blocks import ItemPlace, make_block
from bascule.agents.codex.events.change_sink import readable
from bascule.agents.codex.events.turns import error_block, make_run
from bascule.agents.codex.wire import UNREADABLE, items
from bascule.agents.codex.wire.threads import Turn, TurnsPage
from bascule.core.session.fold import OTHER_EVENTS
from bascule.model.blocks import Block, DividerBlock, RemoteBlock, SystemBlock, UserBlock
from bascule.model.changes import HistoryPut
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

DECODE_ITEM: msgspec.json.Decoder[items.ThreadItem] = msgspec.json.Decoder(items.ThreadItem)


def history_page(page: TurnsPage, cwd: str, *, older: bool = False) -> HistoryPut:
    """One page, which comes newest first, in the order of a log: oldest first."""
    turns = list(reversed(page.data))
    blocks = tuple(block for turn in turns for block in _turn_blocks(turn, cwd))
    runs = tuple(make_run(turn) for turn in turns)
    return HistoryPut(blocks=blocks, runs=runs, earlier=page.next_cursor or "", older=older)


def _turn_blocks(turn: Turn, cwd: str) -> list[Block]:
    blocks: list[Block] = []
    prompted = False
    for place, raw in enumerate(turn.items):
        block = _read_block(raw, place, turn, cwd)
        if isinstance(block, UserBlock):
            block = replace(block, steered=prompted)
        prompted = prompted or isinstance(block, UserBlock | RemoteBlock)
        if block is not None:
            blocks.append(block)
    if turn.status == "failed" and turn.error:
        blocks.append(error_block(turn.id, turn.error))
    return blocks


def _read_block(raw: Raw, place: int, turn: Turn, cwd: str) -> Block | None:
    """An item of an unknown kind is shown as it came; the rest of the page stays readable."""
    try:
        item = DECODE_ITEM.decode(raw)
    except UNREADABLE:
        name = BlockId(f"other-events:{turn.id}:{place}")
        return SystemBlock(
            id=name,
            run=RunId(turn.id),
            title=OTHER_EVENTS,
            text=readable(raw),
            debug=True,
            said=Said("other.events"),
        )
    return _block(item, turn, cwd)


def _block(item: items.ThreadItem, turn: Turn, cwd: str) -> Block | None:
    run = RunId(turn.id)
    if isinstance(item, items.ContextCompaction):
        return DividerBlock(
            id=BlockId(item.id), run=run, title="", text="Context compacted", said=Said("compacted")
        )
    done = turn.status != "inProgress"
    return make_block(item, ItemPlace(cwd=cwd, run=run, at_ms=item.started_at_ms, done=done))
