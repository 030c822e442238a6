"""A session's past as events: its last runs, the newest events of them."""

from msgspec import Struct

from bascule.core.events.run_events import NumberedEvent, RunEvents
from bascule.model.blocks import Block
from bascule.model.ids import RunId
from bascule.model.session import Run, Session

MAX_REPLAYED = 10_000  # events, whatever is asked for


class Replay(Struct, frozen=True):
    events: tuple[NumberedEvent, ...]
    runs: int
    truncated: bool


def replay(session: Session, max_runs: int, max_events: int) -> Replay:
    """Runs that have ended, prompts included. The current one is sent by the stream that joins it."""
    ended = [run for run in session.runs if run.outcome != "running"]
    chosen = ended[max(0, len(ended) - max(0, max_runs)) :]
    events = _events(session, chosen)
    kept = events[max(0, len(events) - max(0, min(max_events, MAX_REPLAYED))) :]
    is_all = len(chosen) == len(ended) and len(kept) == len(events)
    return Replay(
        events=tuple(kept),
        runs=len({event.run_id for event in kept}),
        truncated=not is_all or bool(session.earlier) or session.dropped_blocks > 0,
    )


def _events(session: Session, runs: list[Run]) -> list[NumberedEvent]:
    blocks: dict[RunId | None, list[Block]] = {}
    for block in session.blocks:
        blocks.setdefault(block.run, []).append(block)
    events: list[NumberedEvent] = []
    for run in runs:
        run_events = RunEvents(run, own=(), say=events.append)
        for block in blocks.get(run.id, ()):
            run_events.tell(block, whole=True)
        run_events.finish(run)
    return events
