"""After a crash: how each Ask that was open ended. The record is asked first: one Ask has one end."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from bascule.core.consent.ask_subjects import title_with_plan
from bascule.core.consent.record_words import LASTS
from bascule.core.consent.who import name_who
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.daemon.consent.record import Record
from bascule.host.edits.apply import FinishedEdit, list_past
from bascule.host.edits.journal import journals_in
from bascule.model.asks import Ask, FilesSubject
from bascule.model.blocks import InfoBlock, Progress
from bascule.model.changes import AskClosed, BlockPut, Change
from bascule.model.consent.audit import Line, Local, Remote
from bascule.model.ids import BlockId, short_id
from bascule.model.said import Said

STOPPED_MEANWHILE = "Bascule was stopped while this was going on."
EXPIRED = f"{STOPPED_MEANWHILE} It counts as a no."
UNDONE = "Bascule was stopped before anything was written: there is no trace of it in the journals."
UNKNOWN = (
    "Bascule was stopped at that moment, so this may or may not have been done. "
    "Check what the agent did, and the files."
)
CUT_OFF = f"{STOPPED_MEANWHILE} It may have been done in part; the next start ended what was left of it."
MAX_LOOKED = 20  # edits, the latest ones
FOUND = "Written just before Bascule was stopped; recorded at the next start."

log = logging.getLogger("bascule.ask_recovery")


class Consequence(NamedTuple):
    """What an answer led to, as far as is known."""

    code: str
    text: str
    fields: Mapping[str, str | int] = {}


class AskRecovery:
    """An answer that is recorded was given, whatever happened then; the journals know what was written."""

    def __init__(self, *, root: Path, record: Record, now_ms: Callable[[], int]) -> None:
        self._journals = journals_in(root)
        self._record = record
        self._now_ms = now_ms

    def complete(self) -> None:
        """An edit that was written, and whose line was not: it follows now, with the yes that it had. So does
        the end of a command that was going on."""
        try:
            for entry in self._record.find_unfinished():
                self._record.later(replace(entry, at_ms=self._now_ms(), outcome="cancelled", why=CUT_OFF))
            for past in list_past(self._journals)[:MAX_LOOKED]:
                yes = None if self._record.is_known(past.journal) else self._record.find_yes(past.hash)
                if yes is not None:
                    self._put_on_record(yes, past)
        except UserError as fault:
            log.error("what was written last is not compared with the record: %s", fault)

    def end(self, ask: Ask) -> list[Change]:
        try:
            answer = self._record.find_answer(ask.id)
        except UserError as fault:
            text = f"{STOPPED_MEANWHILE} It may have been answered: {fault}"
            return self._expired(ask, text, Said("ask.expired.unsure", {"fault": str(fault)}))
        if answer is None:
            return self._expired(ask, EXPIRED, Said("ask.expired"))
        return self._answered(ask, answer)

    def _expired(self, ask: Ask, text: str, said: Said) -> list[Change]:
        closed = AskClosed(ask.id, "expired", why=STOPPED_MEANWHILE, unbegun=True)
        title = f"Expired without an answer: {title_with_plan(ask)}"
        return [closed, self._block("expired", ask, title, text, "cancelled", said)]

    def _answered(self, ask: Ask, answer: Line) -> list[Change]:
        granted = answer.entry.answer == "yes"
        by = name_who(answer.entry.who)
        choice = _find_choice(ask, answer)
        closed = AskClosed(ask.id, "answered", choice=choice, by=by, why=answer.entry.why)
        title = f"Answered {answer.entry.answer}, just before Bascule was stopped: {title_with_plan(ask)}"
        lasts = "" if answer.entry.lasts == "once" else f", {LASTS[answer.entry.lasts]}"
        known = f"{by} said {answer.entry.answer}{lasts} (line {answer.seq} of `bascule audit`)."
        came = self._find_consequence(ask, answer) if granted else Consequence("no", "Nothing was done.")
        said = Said(f"ask.answered.{came.code}", {"by": by, "line": answer.seq, **came.fields})
        return [closed, self._block("answered", ask, title, f"{known} {came.text}", "completed", said)]

    def _find_consequence(self, ask: Ask, answer: Line) -> Consequence:
        outcome = self._record.find_outcome(ask, answer)
        if outcome is not None:
            entry, at = outcome.entry, outcome.seq
            if entry.outcome == "done":
                return Consequence("yes.done", f"It was carried out. (line {at})", {"outcome": at})
            why = entry.why or f"It was {entry.outcome}."
            return Consequence("yes.ended", f"{why} (line {at})", {"outcome": at, "why": why})
        if not _is_plan(ask, answer):
            return Consequence("yes.unknown", UNKNOWN)
        written = self._find_written(answer)
        if written is None:
            return Consequence("yes.undone", UNDONE)
        undo = short_id(written.journal)
        return Consequence(
            "yes.written", f"The files were written. `bascule undo {undo}` undoes it.", {"undo": undo}
        )

    def _find_written(self, answer: Line) -> FinishedEdit | None:
        past = list_past(self._journals)
        return next((p for p in past if p.hash == answer.entry.hash and p.at_ms >= answer.entry.at_ms), None)

    def _put_on_record(self, yes: Line, written: FinishedEdit) -> None:
        who, asked_by = yes.entry.who, yes.entry.asked_by
        entry = self._record.entry(
            "undo" if written.undoes else "apply",
            "done",
            asker=asked_by or (who.surface if isinstance(who, Local) else who),
            asked=", ".join(written.files),
            workspace=written.workspace,
            answer="yes",
            bound_to=written.hash,
            ref=written.journal,
            why=FOUND,
        )
        answered_by = who if asked_by is not None and not isinstance(who, Remote) else None
        self._record.later(replace(entry, answered_by=answered_by))

    def _block(self, what: str, ask: Ask, title: str, text: str, status: Progress, said: Said) -> BlockPut:
        about = _about(ask)
        return BlockPut(
            InfoBlock(
                id=BlockId(f"{what}:{ask.id}"),
                run=ask.run,
                at_ms=self._now_ms(),
                title=title,
                text=f"{about}\n{text}".strip(),
                status=status,
                said=replace(said, fields={"about": about, **said.fields}),
            )
        )


def _find_choice(ask: Ask, answer: Line) -> str:
    """The one that was recorded."""
    entry = answer.entry
    fitting = [one for one in ask.choices if one.grants == (entry.answer == "yes")]
    same = [one for one in fitting if (one.lasts, one.rule) == (entry.lasts, entry.rule)]
    return next((one.id for one in (*same, *fitting)), "")


def _is_plan(ask: Ask, answer: Line) -> bool:
    """Of our own, whose files we write ourselves; an agent writes its own."""
    return isinstance(ask.subject, FilesSubject) and ask.plan == answer.entry.hash


def _about(ask: Ask) -> str:
    subject = ask.subject
    match subject.__struct_config__.tag:
        case "command":
            return shorten(getattr(subject, "command", ""), 200)
        case "files":
            return ", ".join(edit.path for edit in getattr(subject, "files", ())[:20])
        case _:
            return ask.reason
