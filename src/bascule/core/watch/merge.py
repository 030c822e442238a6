"""One table: which source wins, and what each thing that a source says means for the status."""

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.session.status import GOING_ON
from bascule.model.session import Status
from bascule.model.watch import Signal, Source, WatchedSession


class SourceRule(NamedTuple):
    rank: int  # the lower wins
    has_dot: bool  # outside a pane too
    revives: bool  # said after an end, it shows that the session is alive again
    about: str


# docs/explain/watching.md shows these tables; a test compares.
SOURCES: dict[Source, SourceRule] = {
    "protocol": SourceRule(1, True, True, "sessions that Bascule drives"),
    "pane": SourceRule(2, True, False, "the pane that a session runs in: only its end"),
    "socket": SourceRule(3, True, True, "Codex's shared daemon"),
    "registry": SourceRule(4, True, True, "Claude's live registry, checked against the process"),
    "hook": SourceRule(5, True, True, "Claude's hooks"),
    "rollout": SourceRule(6, False, False, "Codex's rollout files: a dot in panes only"),
}

# What each thing that a source says means. None: nothing changes; unknown: this source no longer says.
MEANINGS: dict[tuple[Source, str], Status | None] = {
    ("pane", "started here"): "unknown",
    ("pane", "prompt is back"): "stopped",
    ("pane", "shell ended"): "stopped",
    ("socket", "active"): "working",
    ("socket", "active, waiting"): "waiting_user",
    ("socket", "idle"): "completed",
    ("socket", "notLoaded"): "unknown",
    ("socket", "systemError"): "unknown",
    ("socket", "connection lost"): "unknown",
    ("registry", "busy"): "working",
    ("registry", "shell"): "working",  # its run is over, and a command of it still runs
    ("registry", "waiting"): "waiting_user",
    ("registry", "idle"): "completed",
    ("registry", "no status"): "unknown",
    ("registry", "another session"): "stopped",
    ("registry", "file removed"): "unknown",
    ("registry", "process ended"): "stopped",
    ("hook", "SessionStart"): "completed",
    ("hook", "SessionStart: resume"): "completed",
    ("hook", "SessionStart: clear"): "completed",
    ("hook", "SessionStart: fork"): "completed",
    ("hook", "SessionStart: compact"): None,  # also in the middle of a run
    ("hook", "UserPromptSubmit"): "working",
    ("hook", "PermissionRequest"): "waiting_user",
    ("hook", "Notification: permission_prompt"): "waiting_user",
    ("hook", "Notification: elicitation_dialog"): "waiting_user",
    ("hook", "Notification: idle_prompt"): None,
    ("hook", "Stop"): "completed",
    ("hook", "Stop, background tasks"): "working",
    ("hook", "StopFailure"): "completed",
    ("hook", "SessionEnd"): "stopped",
    ("rollout", "session meta"): "unknown",
    ("rollout", "prompt"): "working",
    ("rollout", "open tool call"): "working",
    ("rollout", "tool output"): "working",
    ("rollout", "text before a tool"): "working",
    ("rollout", "request_user_input"): "waiting_user",
    ("rollout", "final answer"): "completed",
    ("rollout", "task_complete"): "completed",
    ("rollout", "turn_aborted"): "completed",
}

MAX_TEXT = 300  # characters of a title, a folder's name, an activity


class LastSignal(NamedTuple):
    """The last that one source said, and its place in the order of arrival."""

    signal: Signal
    order: int
    at_ms: int


class SessionEvidence(Struct):
    """All that is known of one session: the last word of each source."""

    heard: dict[Source, LastSignal] = {}
    count: int = 0
    shown: WatchedSession | None = None
    pane: str = ""  # that it is bound to
    is_still: bool = False  # the output of that pane: a mark, and no part of any evidence
    ended: int = 0  # when its pane saw its latest end, in the order of arrival

    def bind(self, pane: str, now_ms: int, *, is_still: bool = False) -> None:
        self.pane, self.is_still = pane, is_still
        if self.heard:
            self._show(now_ms)

    def _show(self, now_ms: int) -> None:
        shown = _show(self._list_heard(), self.shown, now_ms, self.pane)
        is_marked = bool(self.pane) and self.is_still and shown.status == "working"
        self.shown = replace(shown, is_still=is_marked)

    def forget(self, source: Source, now_ms: int) -> None:
        """What that source said counts no longer."""
        self.heard.pop(source, None)
        if self.heard:
            self._show(now_ms)
        else:
            self.shown = None

    def feed(self, signal: Signal, now_ms: int) -> None:
        before = self.heard.get(signal.source)
        whole = _keep_known(before.signal, signal) if before else signal
        if before is not None and _says_same(before.signal, whole):
            whole, order = replace(whole, at_ms=before.signal.at_ms), before.order
        else:
            self.count += 1
            order = self.count
        self.heard[signal.source] = LastSignal(whole, order, signal.at_ms or now_ms)
        if (whole.source, whole.status) == ("pane", "stopped"):
            self.ended = order
        self._show(now_ms)

    def _list_heard(self) -> dict[Source, LastSignal]:
        """What went on when its pane saw the end is over, also where it is resumed."""
        return {
            source: one._replace(signal=replace(one.signal, status="unknown"))
            if one.order < self.ended and one.signal.status in GOING_ON
            else one
            for source, one in self.heard.items()
        }

    @property
    def hidden(self) -> bool:
        return any(heard.signal.hidden for heard in self.heard.values())


def find_winner(heard: dict[Source, LastSignal], *, in_pane: bool) -> LastSignal | None:
    """The best source that says something. An end is final until another source says something new."""
    able = [one for one in heard.values() if one.signal.status != "unknown"]
    able = [one for one in able if in_pane or SOURCES[one.signal.source].has_dot]
    able.sort(key=lambda one: SOURCES[one.signal.source].rank)
    for place, one in enumerate(able):
        later = (other for other in able[place + 1 :] if other.order > one.order)
        is_over = one.signal.status == "stopped" and any(
            SOURCES[other.signal.source].revives and other.signal.status != "stopped" for other in later
        )
        if not is_over:
            return one
    return None


def _show(
    heard: dict[Source, LastSignal], before: WatchedSession | None, now_ms: int, pane: str
) -> WatchedSession:
    ranked = sorted(heard.values(), key=lambda one: SOURCES[one.signal.source].rank)
    best = [one.signal for one in ranked]
    winner = find_winner(heard, in_pane=bool(pane))
    decided = winner or ranked[0]
    status: Status = winner.signal.status if winner else "unknown"
    is_same = before is not None and before.status == status
    since_ms = before.since_ms if is_same and before is not None else decided.signal.at_ms or now_ms
    return WatchedSession(
        key=make_key(best[0].agent, best[0].session),
        agent=best[0].agent,
        their_id=best[0].session,
        status=status,
        source=decided.signal.source,
        evidence=decided.signal.evidence,
        since_ms=since_ms,
        heard_at_ms=decided.at_ms,
        activity_at_ms=max(one.at_ms for one in ranked),
        title=_first(best, "title"),
        doing=_find_doing(decided.signal, best) if status in ("working", "waiting_user") else "",
        cwd=_first(best, "cwd"),
        branch=_first(best, "branch"),
        pane=pane,
        session_id=_first(best, "our_id"),
    )


def make_key(agent: str, session: str) -> str:
    return f"{agent}:{session}"


def _find_doing(decided: Signal, best: list[Signal]) -> str:
    """A lower source may know what is done now, where it agrees on the status."""
    agreeing = (signal for signal in best if signal.status == decided.status)
    return decided.doing or next((signal.doing for signal in agreeing if signal.doing), "")


def _first(best: list[Signal], field: str) -> str:
    found: str = next((text for signal in best if (text := getattr(signal, field))), "")
    return found[:MAX_TEXT]


def _keep_known(before: Signal, now: Signal) -> Signal:
    """What a source said once of the session itself holds until it says otherwise."""
    return replace(
        now,
        cwd=now.cwd or before.cwd,
        branch=now.branch or before.branch,
        title=now.title or before.title,
        our_id=now.our_id or before.our_id,
        hidden=now.hidden or (before.hidden and not now.our_id),  # of our own each signal says it
    )


def _says_same(before: Signal, now: Signal) -> bool:
    return (before.status, before.evidence) == (now.status, now.evidence)
