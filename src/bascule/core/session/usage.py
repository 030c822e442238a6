"""The status line's words: context, rate limits, time."""

from bascule.model.session import Limit, Usage


def usage_text(usage: Usage) -> str:
    """`ctx remaining=93% (240000/258400)`, or the tokens alone where the window is unknown."""
    if not usage.context_window:
        return f"ctx used={usage.context_used}"
    remaining = max(0, usage.context_window - usage.context_used)
    percent = round(100 * remaining / usage.context_window)
    return f"ctx remaining={percent}% ({remaining}/{usage.context_window})"


def limits_text(limits: tuple[Limit, ...], plan: str) -> str:
    """`primary=12% of 5h secondary=40% of 7d plan=pro`."""
    words = [f"{limit.name}={limit.used_percent:g}%{_window(limit.window_minutes)}" for limit in limits]
    return " ".join([*words, f"plan={plan}"] if plan else words)


def _window(minutes: int | None) -> str:
    if not minutes:
        return ""
    for size, unit in ((1440, "d"), (60, "h")):
        if minutes % size == 0:
            return f" of {minutes // size}{unit}"
    return f" of {minutes}m"


def duration_text(ms: int) -> str:
    """`21s`, `3m 05s`, `1h 02m`."""
    seconds = max(0, round(ms / 1000))
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m {seconds % 60:02d}s"
    return f"{seconds // 3600}h {seconds % 3600 // 60:02d}m"
