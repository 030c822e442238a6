"""How each Ask ends that was open when Bascule was stopped: the record is asked first."""

from pathlib import Path

import msgspec
import pytest
from tests.daemon.consent.test_record import COMMAND, FILES, NO, YES, entries
from tests.daemon.hubs import NOW_MS

from bascule.daemon.consent import ask_recovery
from bascule.daemon.consent.ask_recovery import EXPIRED, STOPPED_MEANWHILE, UNKNOWN, AskRecovery
from bascule.daemon.consent.record import Record, hash_command
from bascule.host.edits.apply import FinishedEdit
from bascule.model.asks import (
    Answer,
    Choice,
)
from bascule.model.blocks import InfoBlock
from bascule.model.changes import AskClosed, BlockPut
from bascule.model.consent.audit import Outcome, Remote
from bascule.model.ids import AskId
from bascule.model.said import Said


async def test_what_was_started_and_has_no_end_is_found_after_a_crash(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)

    async def note(ref: str, *outcomes: Outcome) -> None:
        for outcome in outcomes:
            entry = record.entry("shell", outcome, asker="s", asked="make", workspace="/w", ref=ref)
            await record.write(entry)

    await note("desk-1", "started", "done")
    await note("desk-2", "started")
    await note("desk-3", "started", "failed")
    await record.close()
    again = Record(tmp_path, lambda: NOW_MS)
    assert [entry.ref for entry in again.find_unfinished()] == ["desk-2"]
    AskRecovery(root=tmp_path, record=again, now_ms=lambda: NOW_MS).complete()
    await again.close()
    last = entries(tmp_path)[-1]
    assert (last.ref, last.outcome) == ("desk-2", "cancelled")
    assert "Bascule was stopped while this was going on." in last.why
    assert Record(tmp_path, lambda: NOW_MS).find_unfinished() == []


async def test_after_a_crash_an_answer_keeps_how_long_it_lasts(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    session = Choice(id="s", label="Yes", grants=True, lasts="session", rule="not asked again")
    always = Choice(id="a", label="Yes", grants=True, lasts="always", rule="allow: make")
    never = Choice(id="n", label="Never", grants=False, lasts="always", rule="deny: make")
    recovery = AskRecovery(root=tmp_path, record=record, now_ms=lambda: NOW_MS)
    for choice in (YES, session, always, NO, never):
        ask = msgspec.structs.replace(
            COMMAND, id=AskId(f"of {choice.id}"), choices=(YES, session, always, NO, never)
        )
        await record.answered(ask, Answer(ask=ask.id, choice=choice.id, by="terminal"), "/w")
        closed, note = recovery.end(ask)
        assert isinstance(closed, AskClosed)
        assert closed.choice == choice.id
        assert isinstance(note, BlockPut)
        assert isinstance(note.block, InfoBlock)
        assert ("for this session" in note.block.text, "always" in note.block.text) == (
            choice is session,
            choice in (always, never),
        )


async def test_after_a_crash_the_outcome_of_an_equal_command_is_not_taken_for_this_ones(
    tmp_path: Path,
) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    other = msgspec.structs.replace(COMMAND, id=AskId("ask-3"))
    recovery = AskRecovery(root=tmp_path, record=record, now_ms=lambda: NOW_MS)
    for ask in (COMMAND, other):
        await record.answered(ask, Answer(ask=ask.id, choice=YES.id, by="terminal"), "/w")
    bound_to = hash_command("make", "/w")
    await record.write(
        record.entry(
            "shell", "done", asker="s", asked="make", workspace="/w", bound_to=bound_to, ref=other.id
        )
    )
    for ask, known in ((COMMAND, UNKNOWN), (other, "It was carried out. (line 3)")):
        note = recovery.end(ask)[1]
        assert isinstance(note, BlockPut)
        assert isinstance(note.block, InfoBlock)
        assert note.block.text.endswith(known)
        said = note.block.said
        assert said
        assert said.fields["about"] == "make"
        assert said.code == ("ask.answered.yes.unknown" if known == UNKNOWN else "ask.answered.yes.done")


def test_what_nobody_answered_expires_and_that_means_no(tmp_path: Path) -> None:
    recovery = AskRecovery(root=tmp_path, record=Record(tmp_path, lambda: NOW_MS), now_ms=lambda: NOW_MS)
    closed, note = recovery.end(COMMAND)
    assert closed == AskClosed(COMMAND.id, "expired", why=STOPPED_MEANWHILE, unbegun=True)
    assert isinstance(note, BlockPut)
    assert isinstance(note.block, InfoBlock)
    assert (note.block.title, note.block.text, note.block.status) == (
        "Expired without an answer: Run the tests?",
        f"make\n{EXPIRED}",
        "cancelled",
    )
    assert note.block.said == Said("ask.expired", {"about": "make"})


async def test_a_write_that_is_recorded_after_a_crash_names_who_asked_and_who_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, ann = Record(tmp_path, lambda: NOW_MS), Remote(user="ann", command_id="c-2", via="relay")
    written = FinishedEdit(journal="edit_1", workspace="/w", hash="p" * 64, at_ms=NOW_MS, files=("a.py",))
    monkeypatch.setattr(ask_recovery, "list_past", lambda _journals: [written])
    ask = msgspec.structs.replace(FILES, plan=written.hash, sender=ann)
    await record.answered(ask, Answer(ask=ask.id, choice=YES.id, by="terminal"), "/w")
    AskRecovery(root=tmp_path, record=record, now_ms=lambda: NOW_MS).complete()
    await record.close()
    yes, done = entries(tmp_path)
    assert (done.kind, done.who, done.answered_by, yes.asked_by) == ("apply", ann, yes.who, ann)
