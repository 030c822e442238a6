"""How much a bench does, and what comes of doing it several times."""

from collections.abc import Sequence

from msgspec import Struct


class Scale(Struct, frozen=True, kw_only=True):
    deltas: int = 100_000
    blocks: int = 5_000
    rounds: int = 3
    sessions: int = 300
    files: int = 5_000
    watched: int = 2_000
    seconds: int = 60
    megabytes: int = 50


Figures = dict[str, float]  # by name; the name says the unit


def spread_percent(rounds: Sequence[float]) -> float:
    """How far the worst round lies from the best: a large one says that the machine was busy."""
    return round(100 * (max(rounds) - min(rounds)) / max(rounds), 1)


def megabytes(size: float) -> float:
    return round(size / 1e6, 1)


def milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 2)
