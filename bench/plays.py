"""A recorded conversation as Changes, sent again and again as if each time were a new run."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from bascule.agents.codex.events.change_sink import ChangeSink
from bascule.agents.codex.events.translator import Translator
from bascule.core.session.fold import Fold
from bascule.model.changes import BlockPut, Change, RunPut, TextGrew
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Session

PLAYS = Path(__file__).parents[1] / "tests" / "plays"
TURN = "codex-0.166-turn.wire"


def read_heard(name: str) -> list[bytes]:
    """The lines that the agent said."""
    said = (PLAYS / name).read_bytes().splitlines(keepends=True)
    return [line[2:] for line in said if line.startswith(b"< ")]


def translate(lines: list[bytes]) -> list[Change]:
    """Line by line, so that no deltas are joined on the way."""
    sink = ChangeSink()
    translator = Translator(sink, lambda _call: None)
    changes: list[Change] = []
    for line in lines:
        translator.feed(line)
        entries, _ = sink.take()
        changes += [change for _, step in entries for change in step]
    return changes


def retell(changes: list[Change], times: int) -> Iterator[Change]:
    """Each time with blocks and runs of its own, so that the session grows as a real one does."""
    for time in range(times):
        yield from (_rename(change, f"{time}") for change in changes)


def _rename(change: Change, time: str) -> Change:
    match change:
        case BlockPut():
            renamed = replace(
                change.block, id=BlockId(f"{change.block.id}:{time}"), run=_of(change.block.run, time)
            )
            return BlockPut(renamed)
        case TextGrew():
            return replace(change, block=BlockId(f"{change.block}:{time}"), run=_of(change.run, time))
        case RunPut():
            return RunPut(replace(change.run, id=RunId(f"{change.run.id}:{time}")))
        case _:
            return change


def _of(run: RunId | None, time: str) -> RunId | None:
    return None if run is None else RunId(f"{run}:{time}")


def empty_session() -> Session:
    return Session(id=SessionId("s_bench"), workspace="/workspace")


def tell_until(blocks: int) -> Session:
    """A session of exactly so many blocks, of every kind that the turn holds."""
    changes = translate(read_heard(TURN))
    fold = Fold(empty_session())
    round_ = 0
    while len(fold.block_ids()) < blocks:
        fold.apply_all(_rename(change, f"{round_}") for change in changes)
        round_ += 1
    session = fold.session()
    return replace(session, blocks=session.blocks[:blocks])
