"""The record: every question, answer and writing, on the disk before what it allows is done."""

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

from bascule.core.faults import CannotGoOn
from bascule.core.text import shorten
from bascule.host.audit import Audit, audit_in, who_is_here
from bascule.host.tasks import Tasks
from bascule.model.asks import Answer, Ask, AskEnd, CommandSubject, FilesSubject
from bascule.model.audit import Asker, Entry, Kind, Outcome, Remote, Reply
from bascule.model.changes import AskClosed
from bascule.model.session import Session

MAX_ASKED = 1_000
MAX_WAITING = 10_000  # entries of what is over, on their way to the disk; the oldest are let go

PLAN = "apply:"  # before the hash, in the id of a yes to a plan
NOBODY = "nobody"  # no surface has spoken in that session
ENDS: dict[AskEnd, Outcome] = {"withdrawn": "withdrawn", "expired": "expired"}

log = logging.getLogger("bascule.record")


class Record:
    """Raises CannotGoOn where it cannot be written: then nothing may be done."""

    def __init__(self, root: Path, now_ms: Callable[[], int]) -> None:
        self._audit = Audit(audit_in(root))
        self._now_ms = now_ms
        self._waiting: deque[Entry] = deque(maxlen=MAX_WAITING)
        self._tasks = Tasks()
        self._writing: asyncio.Task[None] | None = None

    async def answered(self, ask: Ask, answer: Answer, workspace: str) -> None:
        granted = any(choice.grants for choice in ask.choices if choice.id == answer.choice)
        entry = self.entry(
            "ask",
            "done",
            asker=answer.by,
            asked=f"{ask.title} {_about(ask)}",
            workspace=workspace,
            answer="yes" if granted else "no",
            bound_to=_bound_to(ask),
            ref=ask.id,
            why=answer.reason,
        )
        await self.write(entry)

    def closed(self, session: Session, ask: Ask, closed: AskClosed) -> None:
        """An Ask that nobody answered; an answer is on record already when it closes one."""
        if closed.end == "answered":
            return
        entry = self.entry(
            "ask",
            ENDS[closed.end],
            asker=session.driver or NOBODY,
            asked=f"{ask.title} {_about(ask)}",
            workspace=session.workspace,
            bound_to=_bound_to(ask),
            ref=ask.id,
            why=closed.why,
        )
        self.later(entry)

    def entry(
        self,
        kind: Kind,
        outcome: Outcome,
        *,
        asker: Asker,
        asked: str,
        workspace: str,
        answer: Reply = "none",
        answered_by: str = "",
        bound_to: str = "",
        ref: str = "",
        why: str = "",
    ) -> Entry:
        """Who answered is named where that was another than who asked."""
        other = answered_by if answered_by != asker else ""
        return Entry(
            at_ms=self._now_ms(),
            kind=kind,
            who=asker if isinstance(asker, Remote) else who_is_here(asker),
            asked=shorten(asked, MAX_ASKED),
            outcome=outcome,
            answer=answer,
            answered_by=who_is_here(other) if other else None,
            hash=bound_to,
            workspace=workspace,
            ref=ref,
            why=shorten(why, MAX_ASKED),
        )

    async def write(self, entry: Entry) -> None:
        """After what was over before it."""
        await self.written()
        await asyncio.to_thread(self._audit.append, entry)

    def later(self, entry: Entry) -> None:
        """Of what is over and allows nothing, where nobody can wait for the disk; `close` does."""
        self._waiting.append(entry)
        if self._writing is None or self._writing.done():
            self._writing = self._tasks.start("the record", self._write_waiting())

    async def _write_waiting(self) -> None:
        while self._waiting:
            entry = self._waiting.popleft()
            try:
                await asyncio.to_thread(self._audit.append, entry)
            except CannotGoOn as fault:
                log.error("not on record: %s %s (%s): %s", entry.kind, entry.asked, entry.outcome, fault)

    async def written(self) -> None:
        """Until nothing waits."""
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def close(self) -> None:
        """When nobody writes any more."""
        await self.written()
        await self._tasks.close()


def hash_command(command: str, cwd: str) -> str:
    """What a yes to a command is bound to."""
    return hashlib.sha256(f"{cwd}\0{command}".encode("utf-8", "surrogateescape")).hexdigest()


def _bound_to(ask: Ask) -> str:
    """What the question is about, by its hash: the plan's own, or that of what was shown."""
    plan = next((choice.id for choice in ask.choices if choice.id.startswith(PLAN)), "")
    if plan:
        return plan.removeprefix(PLAN)
    match ask.subject:
        case CommandSubject(original=original, cwd=cwd):
            return hash_command(original, cwd)
        case _:
            return hashlib.sha256(msgspec.json.encode(ask.subject)).hexdigest()


def _about(ask: Ask) -> str:
    match ask.subject:
        case CommandSubject(original=original):
            return original
        case FilesSubject(files=files):
            return ", ".join(edit.path for edit in files)
        case _:
            return ask.reason
