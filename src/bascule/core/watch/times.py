"""Times as files write them, in milliseconds. They say when, and never what."""

import re

STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
MAX_MS = 253_402_300_800_000  # the year 10000


def parse_time_ms(text: str) -> int:
    """0 for what is no time. Without an offset it is UTC, as all agents write it."""
    match = STAMP.fullmatch(text.strip()[:40])
    if match is None:
        return 0
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60):
        return 0
    seconds = (_days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    below = int((match[7] or "0").ljust(3, "0")[:3])
    return max(0, (seconds - _offset_s(match[8])) * 1000 + below)


def clamp_ms(value: object) -> int:
    """A number of milliseconds that a file gives, if it can be one."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0
    return int(value) if 0 < value < MAX_MS else 0


def _days(year: int, month: int, day: int) -> int:
    """Since 1970."""
    before = year - 1
    leaps = before // 4 - before // 100 + before // 400
    is_leap = month > 2 and (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return before * 365 + leaps + DAYS_BEFORE[month - 1] + is_leap + day - 1 - 719_162


def _offset_s(offset: str | None) -> int:
    if offset is None or offset == "Z":
        return 0
    digits = offset[1:].replace(":", "")
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return seconds if offset[0] == "+" else -seconds
