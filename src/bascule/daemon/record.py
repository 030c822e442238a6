"""The record: every question, answer and writing, on the disk before what it allows is done."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bascule.core.text import shorten
from bascule.host.audit import Audit, audit_in, who_is_here
from bascule.model.asks import Answer, Ask, CommandSubject, FilesSubject
from bascule.model.audit import Entry, Kind, Outcome, Reply

MAX_ASKED = 1_000


class Record:
    """Raises CannotGoOn where it cannot be written: then nothing may be done."""

    def __init__(self, root: Path, now_ms: Callable[[], int]) -> None:
        self._audit = Audit(audit_in(root))
        self._now_ms = now_ms

    async def answered(self, ask: Ask, answer: Answer, workspace: str) -> None:
        granted = any(choice.grants for choice in ask.choices if choice.id == answer.choice)
        await self.write(
            "ask",
            "done",
            surface=answer.by,
            asked=f"{ask.title} {_about(ask)}",
            answer="yes" if granted else "no",
            hash_=answer.choice.partition(":")[2] if answer.choice.startswith("apply:") else "",
            workspace=workspace,
            ref=ask.id,
            why=answer.reason,
        )

    async def write(
        self,
        kind: Kind,
        outcome: Outcome,
        *,
        surface: str,
        asked: str,
        workspace: str,
        answer: Reply = "none",
        hash_: str = "",
        ref: str = "",
        why: str = "",
    ) -> None:
        entry = Entry(
            at_ms=self._now_ms(),
            kind=kind,
            who=who_is_here(surface),
            asked=shorten(asked, MAX_ASKED),
            outcome=outcome,
            answer=answer,
            hash=hash_,
            workspace=workspace,
            ref=ref,
            why=shorten(why, MAX_ASKED),
        )
        await asyncio.to_thread(self._audit.append, entry)


def _about(ask: Ask) -> str:
    match ask.subject:
        case CommandSubject(original=original):
            return original
        case FilesSubject(files=files):
            return ", ".join(edit.path for edit in files)
        case _:
            return ask.reason
