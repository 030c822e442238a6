"""Fold cases out of plays, for every fold there is: `python -m tools.make_golden` writes tests/golden/."""

from pathlib import Path

import msgspec
from tests.agents.codex.listening import CWD, PLAYS, Listener, read_play

from bascule.core.session.fold import Fold
from bascule.model.changes import Change
from bascule.model.ids import SessionId, ThreadId
from bascule.model.session import Session

GOLDEN = PLAYS.parent / "golden"
CHOSEN = ("approval-decline", "command", "compact", "edit", "interrupt", "mcp", "plan-mode", "reasoning")


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name in CHOSEN:
        path = PLAYS / f"codex-0.166-{name}.wire"
        (GOLDEN / f"play-{name}.json").write_bytes(golden_case(path))


def golden_case(path: Path) -> bytes:
    """One line of the wire at a time, so that texts grow in the pieces in which they came."""
    listener = Listener()
    for line in read_play(path):
        listener.feed(line)
    (thread,) = listener.changes
    return _written(path.stem, thread, listener.changes[thread])


def _written(name: str, thread: ThreadId, changes: list[Change]) -> bytes:
    start = Session(id=SessionId("s"), workspace=CWD, thread=thread)
    fold = Fold(start)
    fold.apply_all(changes)
    case = {"name": name, "start": start, "changes": changes, "end": fold.session()}
    return msgspec.json.format(msgspec.json.encode(case), indent=1) + b"\n"


if __name__ == "__main__":
    main()
