"""The record: what is over is written in order, also when nobody waits for it; a yes is bound to a hash."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.daemon.hubs import NOW_MS, make_session

from bascule.daemon.consent.record import Record, hash_command, name_subject
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import (
    ActionSubject,
    Answer,
    Ask,
    Choice,
    CommandSubject,
    FilesSubject,
    PermissionsSubject,
    QuestionsSubject,
    RealPath,
)
from bascule.model.blocks import FileEdit
from bascule.model.changes import AskClosed
from bascule.model.consent.audit import Entry, Local
from bascule.model.ids import AskId

YES, NO = Choice(id="accept", label="Yes", grants=True), Choice(id="decline", label="No", grants=False)
COMMAND = Ask(
    id=AskId("ask-1"),
    title="Run the tests?",
    subject=CommandSubject(command="make", original="make", cwd="/w"),
    choices=(YES, NO),
)
FILES = Ask(
    id=AskId("ask-2"),
    title="Write these files?",
    subject=FilesSubject(files=(FileEdit(path="a.py", change="add"),)),
    choices=(YES, NO),
)


def entries(root: Path) -> list[Entry]:
    audit = Audit(audit_in(root))
    assert audit.verify() == []
    return [line.entry for line in audit.last(100)]


async def test_what_nobody_waits_for_comes_before_what_is_written_after_it(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    written = [
        record.entry("test", "done", asker="s", asked=str(number), workspace="/w") for number in range(5)
    ]
    for entry in written[:4]:
        record.later(entry)
    await record.write(written[4])
    assert [entry.asked for entry in entries(tmp_path)] == ["0", "1", "2", "3", "4"]
    record.later(written[0])
    await record.close()
    assert len(entries(tmp_path)) == 6


async def test_lines_stand_in_the_order_in_which_they_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Record(tmp_path, lambda: NOW_MS)

    async def in_a_busy_thread(append: Callable[[Entry], str], entry: Entry) -> str:
        for _ in range(10 if entry.asked == "0" else 0):
            await asyncio.sleep(0)
        return append(entry)

    monkeypatch.setattr(asyncio, "to_thread", in_a_busy_thread)
    written = [
        record.entry("test", "done", asker="s", asked=str(number), workspace="/w") for number in range(3)
    ]
    await asyncio.gather(*map(record.write, written))
    await record.close()
    assert [entry.asked for entry in entries(tmp_path)] == ["0", "1", "2"]


async def test_an_ask_is_on_record_once_answered_or_not(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    session = make_session(driver="browser (ab12)")
    await record.answered(
        COMMAND, Answer(ask=COMMAND.id, choice="decline", by="terminal", reason="not now"), "/w"
    )
    record.closed(session, FILES, AskClosed(FILES.id, "expired", why="stopped"), Local(surface="agent"))
    await record.close()
    no, expired = entries(tmp_path)
    assert (no.answer, no.outcome, no.why, no.hash) == ("no", "done", "not now", hash_command("make", "/w"))
    assert (expired.answer, expired.outcome, expired.why) == ("none", "expired", "stopped")
    assert isinstance(expired.who, Local)
    assert expired.who.surface == "agent"
    assert len(expired.hash) == 64


async def test_once_for_the_session_and_always_are_different_lines_with_their_rules(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    session = Choice(id="s", label="Yes", grants=True, lasts="session", rule="not asked again")
    always = Choice(id="a", label="Yes", grants=True, lasts="always", rule="allow: make")
    never = Choice(id="n", label="Never", grants=False, lasts="always", rule="deny: make")
    ask = msgspec.structs.replace(COMMAND, choices=(YES, session, always, never))
    for choice in ask.choices:
        await record.answered(ask, Answer(ask=ask.id, choice=choice.id, by="terminal"), "/w")
    assert [(entry.answer, entry.lasts, entry.rule) for entry in entries(tmp_path)] == [
        ("yes", "once", ""),
        ("yes", "session", "not asked again"),
        ("yes", "always", "allow: make"),
        ("no", "always", "deny: make"),
    ]


async def test_a_yes_to_a_plan_is_bound_to_the_plan(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    plan = Choice(id="apply:" + "a" * 64, label="Yes", grants=True)
    ask = msgspec.structs.replace(FILES, choices=(plan, NO), plan="a" * 64)
    await record.answered(ask, Answer(ask=ask.id, choice="decline", by="terminal"), "/w")
    assert entries(tmp_path)[0].hash == "a" * 64


async def test_who_answered_is_named_where_it_was_another(tmp_path: Path) -> None:
    record = Record(tmp_path, lambda: NOW_MS)
    for by in ("browser", "terminal"):
        answer = Answer(ask=FILES.id, choice="accept", by=by)
        await record.write(
            record.entry("apply", "done", asker="browser", asked="a", workspace="/w", answered_by=answer)
        )
    same, other = entries(tmp_path)
    assert same.answered_by is None
    assert isinstance(other.answered_by, Local)
    assert other.answered_by.surface == "terminal"


async def test_a_record_that_cannot_be_written_stops_nobody_who_does_not_wait(tmp_path: Path) -> None:
    audit_in(tmp_path).write_text("no folder")
    record = Record(tmp_path, lambda: NOW_MS)
    record.later(record.entry("test", "done", asker="s", asked="a", workspace="/w"))
    await record.close()
    assert audit_in(tmp_path).read_text() == "no folder"


def test_a_line_names_every_path_that_a_yes_lets_be_written() -> None:
    moved = FileEdit(path="a.txt", change="update", moved_to="cfg/moved.sh")
    link = RealPath(path="cfg/moved.sh", real="/conf/moved.sh", is_outside=True)
    ask = msgspec.structs.replace(FILES, subject=FilesSubject(files=(moved,), links=(link,)))
    assert name_subject(ask) == "a.txt → cfg/moved.sh (in fact /conf/moved.sh)"
    taken = msgspec.structs.replace(
        FILES, subject=FilesSubject(files=(moved,), links=(link,), existing=("cfg/moved.sh",))
    )
    assert name_subject(taken) == "a.txt → cfg/moved.sh (in fact /conf/moved.sh) (replaced)"


def test_a_line_names_the_permissions_that_a_yes_gives_and_not_only_the_agents_reason() -> None:
    """A long command can't push them out of the line."""
    wants = (f"run {'x' * 2_000}", "write below /etc", "use the network")
    ask = msgspec.structs.replace(COMMAND, subject=PermissionsSubject(wants=wants), reason="tidying up")
    assert name_subject(ask) == f"use the network; write below /etc; {wants[0]}; tidying up"


def test_a_line_names_the_folder_the_link_and_the_action_of_a_yes() -> None:
    replace = msgspec.structs.replace
    files = FilesSubject(files=(FileEdit(path="a.py", change="add"),), grant_root="/etc")
    link = QuestionsSubject(questions=(), server="mcp", message="Sign in", url="https://x.test")
    assert name_subject(replace(FILES, subject=files)) == "everything below /etc; a.py"
    assert name_subject(replace(FILES, subject=link)) == "mcp https://x.test Sign in"
    assert name_subject(replace(FILES, subject=ActionSubject(text="#3 in /w."))) == "#3 in /w."
