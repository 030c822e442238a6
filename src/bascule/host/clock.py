"""The time and fresh ids: the one place that reads the clock and the machine's randomness."""

import secrets
import time
from datetime import UTC, datetime

NS_A_MS = 1_000_000


def now_ms() -> int:
    return time.time_ns() // NS_A_MS


def new_id(prefix: str) -> str:
    """An id that sorts by when it was made: a version 7 UUID, its time finer than a microsecond."""
    ms, below_ns = divmod(time.time_ns(), NS_A_MS)
    below = below_ns * 4096 // NS_A_MS
    high = ms << 16 | 0x7000 | below
    low = 0b10 << 62 | secrets.randbits(62)
    return f"{prefix}_{high << 64 | low:032x}"


def utc_text(at_ms: int) -> str:
    """A moment as the protocol writes it: 2026-01-31T12:00:00.000Z."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_utc_ms(text: str) -> int | None:
    """A moment as above, or with another offset; None where it is none."""
    try:
        moment = datetime.fromisoformat(text)
        return int(moment.timestamp() * 1000) if moment.tzinfo is not None else None
    except (ValueError, OverflowError, OSError):
        return None


def local_time(at_ms: int) -> datetime:
    """A moment on this machine's wall clock, with its offset."""
    return datetime.fromtimestamp(at_ms / 1000).astimezone()


def spread(delay_s: float) -> float:
    """The delay, more or less: so that those who wait for the same thing do not all come at once."""
    return delay_s * (0.5 + secrets.randbelow(1000) / 1000)
