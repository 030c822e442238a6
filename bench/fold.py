"""Changes per second of the fold alone, for a session of mixed runs that grows; beside decoding its wire."""

import time

from bascule.core.session.fold import Fold
from bascule.model.changes import Change
from bench.plays import TURN, empty_session, read_heard, retell, translate
from bench.scale import Figures, Scale, spread_percent
from bench.yardsticks import time_bare

TIMES = 300  # runs of the play in one session


def measure(scale: Scale) -> Figures:
    heard = read_heard(TURN)
    changes = list(retell(translate(heard), TIMES))
    folding = [time_fold(changes) for _ in range(scale.rounds)]
    decoding = [time_bare(b"".join(heard) * TIMES) for _ in range(scale.rounds)]
    return {
        "changes": len(changes),
        "changes_per_s": round(len(changes) / min(folding)),
        "lines_decoded_per_s": round(TIMES * len(heard) / min(decoding)),
        "ratio_to_decoding": round(min(decoding) / min(folding), 2),
        "rounds": scale.rounds,
        "spread_percent": spread_percent([1 / seconds for seconds in folding]),
    }


def time_fold(changes: list[Change]) -> float:
    fold = Fold(empty_session())
    start = time.perf_counter()
    fold.apply_all(changes)
    session = fold.session()
    seconds = time.perf_counter() - start
    assert session.status == "completed", session.status
    assert len(session.runs) == TIMES
    return seconds
