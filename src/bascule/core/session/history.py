"""The agent's account of the past, merged into the log: our order, its words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from bascule.model.blocks import Block, ErrorBlock, Progress, UserBlock
from bascule.model.changes import BlockGone, BlockPut, Change, HistoryPut, RunPut
from bascule.model.ids import BlockId, RunId
from bascule.model.session import Outcome, Run, Session

# A completed item replaces its deltas, but lacks these: what has grown stays unless it is sent again.
# So does the time of a block: an agent that tells its past may not have kept it.
SIDE_TEXTS = ("output", "stdin", "detail", "progress")
LEFT_OPEN: dict[Outcome, Progress] = {
    "completed": "completed",
    "failed": "failed",
    "interrupted": "cancelled",
}

Place = tuple[int, int]  # after which of our blocks, and which of those that are put there


def merge_history(
    ours: Iterable[Block], theirs: Iterable[Block], past: Mapping[RunId, Run], *, older: bool
) -> list[Block]:
    """What we have stays in its order. What only the agent has follows what it has before it in that run;
    a run of which we have nothing comes before the next one that we know, or at the end."""
    blocks = {block.id: block for block in ours}
    places: dict[BlockId, Place] = {name: (at, 0) for at, name in enumerate(blocks)}
    runs = _by_run(close_block(block, past) for block in theirs)
    order = tuple(dict.fromkeys((*past, *runs)))
    starts = _find_starts(blocks, runs, order, older=older)
    put = 0
    for run in order:
        at = starts[run] - 1
        for block in runs.get(run, ()):
            if block.id in blocks:
                at = places[block.id][0]
            else:
                put += 1
                places[block.id] = (at, put)
            blocks[block.id] = keep_missing(blocks.get(block.id), block)
    return [blocks[name] for name in sorted(blocks, key=places.__getitem__)]


def _find_starts(
    ours: Mapping[BlockId, Block],
    theirs: Mapping[RunId | None, list[Block]],
    order: tuple[RunId | None, ...],
    *,
    older: bool,
) -> dict[RunId | None, int]:
    """Where each run begins in our log."""
    runs = {block.id: run for run, blocks in theirs.items() for block in blocks}
    wanted, known = set(order), dict[RunId | None, list[int]]()
    for at, block in enumerate(ours.values()):
        run = runs.get(block.id, block.run)
        if run in wanted and (run is not None or block.id in runs):
            known.setdefault(run, []).append(at)
    after = max((places[-1] + 1 for places in known.values()), default=0) if older else len(ours)
    starts: dict[RunId | None, int] = {}
    for run in reversed(order):
        after = starts[run] = known[run][0] if run in known else after
    return starts


def _by_run(blocks: Iterable[Block]) -> dict[RunId | None, list[Block]]:
    grouped: dict[RunId | None, list[Block]] = {}
    for block in blocks:
        grouped.setdefault(block.run, []).append(block)
    return grouped


def close_block(block: Block, runs: Mapping[RunId, Run]) -> Block:
    """As it stands when its run has ended."""
    run = runs.get(block.run) if block.run else None
    if run is None or run.outcome == "running" or getattr(block, "status", None) != "inProgress":
        return block
    left: Any = block
    closed: Block = replace(left, status=LEFT_OPEN[run.outcome])
    return closed


def keep_missing(old: Block | None, new: Block) -> Block:
    if old is None or type(old) is not type(new):
        return new
    kept = {name: text for name in SIDE_TEXTS if not getattr(new, name, "-") and (text := getattr(old, name))}
    if kept:
        new = replace(new, dropped=max(old.dropped, new.dropped), **kept)
    return replace(new, at_ms=old.at_ms) if new.at_ms is None and old.at_ms is not None else new


def correct_history(ours: Session, page: HistoryPut) -> Iterator[Change]:
    """What we know better: why a run was cut off, and what the agent has not heard yet.

    What the agent knows better: a run that we missed the end of did not stop."""
    cut_off = {run.id for run in page.runs if run.outcome == "interrupted"}
    done = {run.id for run in page.runs if run.outcome == "completed"}
    for run in ours.runs:
        if run.id in cut_off and (run.outcome == "failed" or run.declined):
            yield RunPut(run)
    for block in ours.blocks:
        if isinstance(block, UserBlock) and not block.sent:
            yield from (BlockGone(block.id), BlockPut(block))  # it comes after all of the past
        if isinstance(block, ErrorBlock) and block.agent_stopped and block.run in done:
            yield BlockGone(block.id)
