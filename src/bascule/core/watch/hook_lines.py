"""What Claude's hooks say, one JSON line each; a line that cannot be read is skipped."""

import msgspec
from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.watch.merge import MEANINGS
from bascule.core.watch.times import parse_time_ms
from bascule.model.session import Status
from bascule.model.watch import Signal

MAX_LINE = 20_000  # bytes
MAX_SESSIONS = 5_000
# The events that are listened to, as Claude names them.
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PermissionRequest",
    "Notification",
    "Stop",
    "StopFailure",
    "SessionEnd",
)
WORDS: dict[str, Status] = {
    "working": "working",
    "waiting_user": "waiting_user",
    "completed": "completed",
    "stopped": "stopped",
}
ENDS = {"Stop", "StopFailure", "SessionEnd"}
# What says nothing when it comes late: after the end of a run, and after that of the session.
LATE = {
    **dict.fromkeys(ENDS, frozenset({"Notification"})),
    "SessionEnd": frozenset({"Notification", "Stop", "StopFailure"}),
}


class HookLine(Struct, frozen=True):
    """As the runner writes it."""

    source: str
    event: str
    session_id: str
    pane_id: str = ""
    timestamp: str = ""
    hook: str = ""
    detail: str = ""  # of a Notification its type; of a SessionStart what began it
    cwd: str = ""
    instance_id: str = ""


DECODER = msgspec.json.Decoder(HookLine)


def parse_hook_line(data: bytes) -> HookLine | None:
    if len(data) > MAX_LINE:
        return None
    try:
        line = DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    is_usable = line.source in ("claude", "codex") and line.session_id and len(line.session_id) <= 200
    return line if is_usable and line.event in WORDS else None


class HookReader:
    """`feed` lines in order; what comes late never overrules an end that came before it."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}  # session: what decided last

    def feed(self, data: bytes) -> Signal | None:
        line = parse_hook_line(data)
        if line is None:
            return None
        said = describe_event(line)
        status = MEANINGS.get(("hook", said), WORDS[line.event])
        if status is None or line.hook in LATE.get(self._last.get(line.session_id, ""), ()):
            return None
        self._last.pop(line.session_id, None)
        self._last[line.session_id] = said
        forget_oldest(self._last, MAX_SESSIONS)
        return Signal(
            source="hook",
            agent=line.source,
            session=line.session_id,
            evidence=said,
            status=status,
            at_ms=parse_time_ms(line.timestamp),
            cwd=line.cwd,
            pane=line.pane_id,
            doing="permission prompt" if status == "waiting_user" else "",
        )


def describe_event(line: HookLine) -> str:
    """In the words of the table."""
    if line.hook == "Notification":
        return f"Notification: {line.detail}"
    if line.hook == "SessionStart" and ("hook", f"SessionStart: {line.detail}") in MEANINGS:
        return f"SessionStart: {line.detail}"
    if line.hook == "Stop" and line.event == "working":
        return "Stop, background tasks"
    return line.hook or line.event
