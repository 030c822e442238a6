"""The board as a terminal shows it: by project, those that wait first, and what each is doing since when."""

import time
from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain_line
from bascule.core.watch.board import group_sessions
from bascule.model.session import Status
from bascule.model.watch import WatchedSession

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

NOTHING = (
    "No agent session was found on this machine yet. Start Codex or Claude in any terminal, and it shows up "
    "here. `bascule hooks install` adds more detail for older versions of Claude."
)
DOTS: dict[Status, tuple[str, str]] = {
    "working": ("●", "green"),
    "waiting_user": ("●", "dark_orange"),
    "completed": ("●", "blue"),
    "stopped": (" ", ""),
    "unknown": (" ", ""),
}
WORDS: dict[Status, str] = {
    "working": "working",
    "waiting_user": "waiting for you",
    "completed": "done",
    "stopped": "ended",
    "unknown": "last activity",
}
MAX_ROWS = 60
MAX_AGENT = 20  # with its branch


def make_table(sessions: Iterable[WatchedSession]) -> "RenderableType":
    from rich.table import Table
    from rich.text import Text

    groups = group_sessions(sessions)
    if not groups:
        return Text(NOTHING)
    table = Table(box=None, pad_edge=False, show_header=False)
    for is_cut in (False, True, False, True, False):  # rich narrows those that it may wrap
        table.add_column(no_wrap=not is_cut)
    left = MAX_ROWS
    for folder, members in groups:
        if left <= 0:
            break
        table.add_row("", _cell(_name_folder(folder), "bold"))
        for one in members[:left]:
            dot, colour = DOTS[one.status]
            table.add_row(Text(dot, style=colour), *(_cell(text) for text in describe(one)))
        left -= len(members)
    return table


def _cell(text: str, style: str = "") -> "Text":
    """One line, cut where it does not fit."""
    from rich.text import Text

    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def describe(one: WatchedSession, now_ms: int | None = None) -> tuple[str, str, str, str]:
    """Title, agent, what it is at, and where the status comes from."""
    now_ms = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    since_ms = one.activity_at_ms if one.status == "unknown" else one.since_ms
    at = f"{WORDS[one.status]} {describe_age(now_ms - since_ms)}"
    doing = f"{at}: {one.doing}" if one.doing else at
    source = one.source if one.status != "unknown" else ""
    branch = f" ({one.branch})" if one.branch else ""
    title = plain_line(one.title) or one.their_id
    return (
        shorten(title, 40),
        shorten(plain_line(one.agent + branch), MAX_AGENT),
        shorten(plain_line(doing), 60),
        source,
    )


def describe_age(ms: int) -> str:
    seconds = max(0, ms // 1000)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min"
    return f"{seconds // 3600} h" if seconds < 86_400 else f"{seconds // 86_400} d"


def _name_folder(folder: str) -> str:
    return plain_line(f"{PurePath(folder).name or folder}  {folder}") if folder else "(folder not known)"
