"""Claude's live registry: one file for each process, read with distrust; newer and older shapes fall back."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.core.watch.merge import MEANINGS
from bascule.core.watch.times import clamp_ms
from bascule.model.session import Status
from bascule.model.watch import Signal

FILE_NAME = re.compile(r"(?:pid-)?[0-9]{1,10}\.json", re.ASCII)  # never the `*.key` files beside them
MAX_BYTES = 64 * 1024
MAX_TEXT = 300
URGENCY: tuple[Status, ...] = ("waiting_user", "working", "completed", "unknown", "stopped")
THEIR_WORDS = {"idle", "busy", "shell", "waiting"}
BACKGROUND = "a background command"


class RegistryEntry(Struct, frozen=True, kw_only=True):
    pid: int
    session: str
    proc_start: str = ""  # of the process, as the system counts it; empty: the file does not say
    started_at_ms: int = 0
    pid_domain: str = ""  # which process table the pid belongs to
    status: str = ""
    waiting_for: str = ""
    at_ms: int = 0
    cwd: str = ""
    name: str = ""


class ProcessFacts(Struct, frozen=True, kw_only=True):
    """What the system says of a pid now."""

    is_there: bool
    proc_start: str = ""
    created_at_ms: int = 0
    pid_domain: str = ""  # of this system


def is_registry_file(name: str) -> bool:
    return FILE_NAME.fullmatch(name) is not None


def is_named_after(name: str, pid: int) -> bool:
    """Claude names each file after its process: one that speaks of another was copied, or lies."""
    return int(name.removeprefix("pid-").removesuffix(".json")) == pid


def parse_registry(data: bytes) -> RegistryEntry | None:
    """None where it is no entry of a session: broken, half-written, of another kind."""
    if len(data) > MAX_BYTES:
        return None
    try:
        raw = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    pid, session = raw.get("pid"), _text(raw, "sessionId")
    if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 2**31 or not session:
        return None
    return RegistryEntry(
        pid=pid,
        session=session,
        proc_start=str(raw["procStart"])[:MAX_TEXT] if raw.get("procStart") else "",
        started_at_ms=clamp_ms(raw.get("startedAt")),
        pid_domain=_text(raw, "pidDomain"),
        status=_text(raw, "status"),
        waiting_for=_text(raw, "waitingFor"),
        at_ms=clamp_ms(raw.get("statusUpdatedAt")) or clamp_ms(raw.get("startedAt")),
        cwd=_text(raw, "cwd"),
        name=_text(raw, "name"),
    )


def _text(raw: dict[str, Any], field: str) -> str:
    value = raw.get(field)
    return value[:MAX_TEXT] if isinstance(value, str) else ""


def is_same_process(entry: RegistryEntry, now: ProcessFacts) -> bool | None:
    """Whether the one that wrote the file still runs. None: it cannot be known from here."""
    if entry.pid_domain and now.pid_domain and not entry.pid_domain.endswith(now.pid_domain):
        return None
    if not now.is_there:
        return False
    if entry.proc_start and now.proc_start:
        return entry.proc_start == now.proc_start
    if entry.started_at_ms and now.created_at_ms:
        return now.created_at_ms <= entry.started_at_ms  # a pid that was given again is younger
    return None


def make_signal(entry: RegistryEntry, is_alive: bool | None, *, has_file: bool = True) -> Signal:
    said = entry.status if is_alive is not None and entry.status in THEIR_WORDS else "no status"
    evidence = "process ended" if is_alive is False else said if has_file else "file removed"
    status: Status = MEANINGS["registry", evidence] or "unknown"
    return Signal(
        source="registry",
        agent="claude",
        session=entry.session,
        evidence=evidence,
        status=status,
        at_ms=0 if is_alive is False else entry.at_ms,
        cwd=entry.cwd,
        title=entry.name,
        doing=entry.waiting_for if status == "waiting_user" else BACKGROUND if said == "shell" else "",
        pid=entry.pid if is_alive else 0,
    )


def pick_most_urgent(signals: Sequence[Signal]) -> Signal:
    """Of one session in several terminals: one that waits for a person is not hidden by the others."""
    return min(signals, key=lambda one: (URGENCY.index(one.status), -one.at_ms))


def make_left(before: Signal) -> Signal:
    """Its process goes on with another session, as after `/clear`."""
    evidence = "another session"
    status: Status = MEANINGS["registry", evidence] or "unknown"
    return replace(before, evidence=evidence, status=status, at_ms=0, doing="", pid=0)
