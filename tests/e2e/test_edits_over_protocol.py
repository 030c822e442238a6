"""Edits through the daemon: prepared, looked at, asked for on every surface, written, recorded, undone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind
from tests.e2e.peer import Message, Peer, Refusal
from tests.e2e.test_plain import Near

from bascule.daemon.consent.asks import MACHINE
from bascule.daemon.edits.edits import MAX_DIFFS
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Answer, Ask, FilesSubject
from bascule.model.attachments import ErrorAttachment
from bascule.model.blocks import ErrorBlock, SystemBlock
from bascule.model.consent.origin import Door, Origin
from bascule.model.ids import SessionId

DIFF = """Here is the change:

```diff
--- a/NOTES.md
+++ b/NOTES.md
@@ -1,2 +1,2 @@
 one
-two
+zwei
--- /dev/null
+++ b/fresh.txt
@@ -0,0 +1 @@
+new
```
"""


@asynccontextmanager
async def open_peer(live: LiveApp, door: Door = "terminal") -> AsyncIterator[Peer]:
    surface = live.app.surfaces.connect(Origin(door=door), workspace=str(live.project))
    wire = Near(surface)
    async with Tasks() as tasks:
        yield await Peer(wire, tasks).initialize(supports_session_sync=True)
        await wire.close()
    await surface.finish()  # as every transport does


@pytest.fixture
async def scene(live: LiveApp) -> AsyncIterator[tuple[LiveApp, Peer, SessionId]]:
    (live.project / "NOTES.md").write_text("one\ntwo\n")
    session = await live.begin()
    async with open_peer(live) as peer:
        yield live, peer, session


async def prepared(peer: Peer, session: SessionId) -> Message:
    answer: Message = await peer.call("edits.prepare", {"session_id": session, "diff": DIFF})
    return answer


async def answer(live: LiveApp, session: SessionId, ask: Ask, choice: str) -> object:
    return await live.app.asks.answer(session, Answer(ask=ask.id, choice=choice, by="somebody"))


def record(live: LiveApp) -> list[tuple[str, str, str]]:
    audit = Audit(audit_in(live.project.parent / "data"))
    lines = audit.last(100)
    assert audit.verify() == []
    return [(line.entry.kind, line.entry.answer, line.entry.outcome) for line in lines]


async def test_a_diff_is_written_after_a_yes_to_its_plan_and_undone_after_another(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    plan = await prepared(peer, session)
    assert [(file["path"], file["kind"]) for file in plan["files"]] == [
        ("NOTES.md", "update"),
        ("fresh.txt", "add"),
    ]
    assert await peer.call("edits.prepared", {"diff_id": plan["diff_id"]}) == plan
    viewed = await peer.call("edits.view", {"diff_id": plan["diff_id"]})
    assert viewed["files"][0] == {"path": "NOTES.md", "before": "one\ntwo\n", "after": "one\nzwei\n"}
    assert (live.project / "NOTES.md").read_text() == "one\ntwo\n"

    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    assert isinstance(ask.subject, FilesSubject)
    assert (ask.title, ask.plan) == ("Write these files?", plan["hash"])
    assert [choice.id for choice in ask.choices] == [f"apply:{plan['hash']}", "decline"]
    assert await answer(live, session, ask, f"apply:{plan['hash']}") is None
    written = await peer.result(call)
    assert written["status"] == "ok"
    assert (live.project / "NOTES.md").read_text() == "one\nzwei\n"
    assert (live.project / "fresh.txt").read_text() == "new\n"

    undoing = {"session_id": session, "undo_id": written["undo_id"]}
    call = await peer.begin("edits.undo", undoing)
    ask = await live.until_ask(session)
    await answer(live, session, ask, ask.choices[0].id)
    assert (await peer.result(call))["status"] == "ok"
    assert (live.project / "NOTES.md").read_text() == "one\ntwo\n"
    assert not (live.project / "fresh.txt").exists()
    assert record(live) == [
        ("ask", "yes", "done"),
        ("apply", "yes", "done"),
        ("ask", "yes", "done"),
        ("undo", "yes", "done"),
    ]


async def test_without_a_session_a_local_program_works_in_its_own_folder_and_a_page_in_none(
    live: LiveApp,
) -> None:
    (live.project / "NOTES.md").write_text("one\ntwo\n")
    async with open_peer(live, "page") as page:
        with pytest.raises(Refusal, match="no workspace of its own"):
            await page.call("edits.prepare", {"diff": DIFF})
    async with open_peer(live) as peer:
        with pytest.raises(Refusal, match="between 0 and 20"):
            await peer.call("edits.prepare", {"diff": DIFF, "strip": 21})
        plan = await peer.call("edits.prepare", {"diff": DIFF, "strip": 1})
        call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
        ask = await live.until_ask(MACHINE)
        assert (ask.plan, ask.workspace) == (plan["hash"], str(live.project))
        await answer(live, MACHINE, ask, ask.choices[0].id)
        written = await peer.result(call)
        (listed,) = (await peer.call("edits.list", {}))["edits"]
        assert (listed["undo_id"], listed["files"]) == (written["undo_id"], ["NOTES.md", "fresh.txt"])
        call = await peer.begin("edits.undo", {"undo_id": written["undo_id"]})
        ask = await live.until_ask(MACHINE)
        await answer(live, MACHINE, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "ok"
    assert (live.project / "NOTES.md").read_text() == "one\ntwo\n"
    assert live.see(MACHINE).blocks == ()


async def test_a_no_writes_nothing_and_is_recorded(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    live, peer, session = scene
    plan = await prepared(peer, session)
    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    wrong = await answer(live, session, ask, "apply:" + "0" * 64)
    assert "is not one of this Ask's answers" in str(wrong)
    await answer(live, session, ask, "decline")
    assert await peer.result(call) == {
        "status": "rejected",
        "summary": "Nothing was written: it was not confirmed.",
        "declined": True,
        "said": {"code": "edit.declined"},
    }
    assert (live.project / "NOTES.md").read_text() == "one\ntwo\n"
    assert record(live) == [("ask", "no", "done"), ("apply", "no", "rejected")]


async def test_a_file_changed_since_the_preview_is_not_written(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    plan = await prepared(peer, session)
    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    (live.project / "NOTES.md").write_text("mine\n")
    await answer(live, session, ask, ask.choices[0].id)
    done = await peer.result(call)
    assert (done["status"], "NOTES.md" in done["summary"]) == ("error", True)
    assert (live.project / "NOTES.md").read_text() == "mine\n"
    assert not (live.project / "fresh.txt").exists()


async def test_a_surface_that_leaves_withdraws_its_question(live: LiveApp) -> None:
    (live.project / "NOTES.md").write_text("one\ntwo\n")
    session = await live.begin()
    async with open_peer(live) as peer:
        plan = await prepared(peer, session)
        await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
        await live.until_ask(session)
    assert (await live.until(session, lambda seen: not seen.asks)).asks == ()
    assert (live.project / "NOTES.md").read_text() == "one\ntwo\n"
    await live.app.record.written()
    assert record(live) == [("ask", "none", "withdrawn"), ("apply", "none", "withdrawn")]


async def test_a_question_goes_on_waiting_when_the_log_is_cleared(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    plan = await prepared(peer, session)
    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    await peer.call("session.clear", {"session_id": session})
    assert live.see(session).asks == (ask,)
    await answer(live, session, ask, ask.choices[0].id)
    assert (await peer.result(call))["status"] == "ok"
    assert record(live) == [("ask", "yes", "done"), ("apply", "yes", "done")]


async def test_what_is_being_written_when_its_surface_leaves_is_reported_and_on_record(live: LiveApp) -> None:
    files = range(300)  # so that it is still going on
    many = "".join(f"--- /dev/null\n+++ b/many/{number}\n@@ -0,0 +1 @@\n+x\n" for number in files)
    session = await live.begin()
    async with open_peer(live) as peer:
        plan = await peer.call("edits.prepare", {"session_id": session, "diff": many})
        await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
        ask = await live.until_ask(session)
        await answer(live, session, ask, ask.choices[0].id)
        await asyncio.sleep(0)  # the yes arrives, and the writing begins
    seen = await live.until(session, lambda seen: of_kind(seen, SystemBlock))
    assert of_kind(seen, SystemBlock)[0].title.startswith("Written: 300 files")
    assert len(list((live.project / "many").iterdir())) == len(files)
    await live.app.record.written()
    assert record(live) == [("ask", "yes", "done"), ("apply", "yes", "done")]


async def test_what_cannot_be_applied_is_refused_by_name(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    _, peer, session = scene
    for diff, why in (
        ("nothing of a diff", "diff"),
        (DIFF.replace("two", "drei"), "NOTES.md"),
        (DIFF.replace("NOTES.md", "../outside.md"), "outside.md"),
    ):
        with pytest.raises(Refusal, match=why):
            await peer.call("edits.prepare", {"session_id": session, "diff": diff})
    with pytest.raises(Refusal, match="no longer kept"):
        await peer.call("edits.view", {"diff_id": "diff_gone"})
    with pytest.raises(Refusal, match="no longer kept"):
        await peer.call("edits.prepared", {"diff_id": "diff_gone"})


async def test_a_setting_forbids_applying(setup: Setup) -> None:
    async with setup.run() as live:
        (live.project / "NOTES.md").write_text("one\ntwo\n")
        (live.project / ".vscode").mkdir(exist_ok=True)
        (live.project / ".vscode" / "settings.json").write_text('{"bascule.allowApplyPatch": false}')
        session = await live.begin()
        async with open_peer(live) as peer:
            plan = await prepared(peer, session)
            done = await peer.call("edits.apply", {"diff_id": plan["diff_id"]})
        assert (done["status"], "allowApplyPatch is false" in done["summary"]) == ("rejected", True)
        assert [code for code, _ in errors(live, session)] == ["apply_not_allowed"]
        assert record(live) == [("apply", "none", "not_allowed")]


async def test_what_is_forbidden_while_the_question_stands_is_not_written(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    plan = await prepared(peer, session)
    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    (live.project / ".vscode").mkdir()
    (live.project / ".vscode" / "settings.json").write_text('{"bascule.allowApplyPatch": false}')
    await answer(live, session, ask, ask.choices[0].id)
    done = await peer.result(call)
    assert (done["status"], "allowApplyPatch is false" in done["summary"]) == ("rejected", True)
    assert (live.project / "NOTES.md").read_text() == "one\ntwo\n"
    assert record(live) == [("ask", "yes", "done"), ("apply", "yes", "not_allowed")]


@pytest.mark.real
async def test_every_answer_to_an_agent_is_on_record(live: LiveApp) -> None:
    session = await live.begin()
    live.say(session, "demo:approval")
    ask = await live.until_ask(session)
    await answer(live, session, ask, "accept")
    await live.until_idle(session)
    assert record(live) == [("ask", "yes", "done")]


async def test_an_edit_of_another_workspace_is_not_undone_from_here(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    _, peer, session = scene
    done = await peer.call("edits.undo", {"session_id": session, "undo_id": "edit_of_nobody"})
    assert (done["status"], "No edit edit_of_nobody" in done["summary"]) == ("error", True)


async def test_the_oldest_diff_goes_when_too_many_are_kept(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    _, peer, session = scene
    first = await prepared(peer, session)
    for _ in range(MAX_DIFFS - 1):
        await prepared(peer, session)
    assert (await peer.call("edits.view", {"diff_id": first["diff_id"]}))["diff_id"] == first["diff_id"]
    await prepared(peer, session)
    with pytest.raises(Refusal, match="no longer kept"):
        await peer.call("edits.view", {"diff_id": first["diff_id"]})


def errors(live: LiveApp, session: SessionId) -> list[tuple[str, str]]:
    """Code and message of each failure that stands in the session."""
    attached = [one for block in of_kind(live.see(session), ErrorBlock) for one in block.attachments]
    return [(one.code, one.message) for one in attached if isinstance(one, ErrorAttachment)]


async def test_what_was_written_stands_in_the_session_with_its_undo_id(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    plan = await prepared(peer, session)
    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    await answer(live, session, ask, ask.choices[0].id)
    written = await peer.result(call)
    call = await peer.begin("edits.undo", {"session_id": session, "undo_id": written["undo_id"]})
    ask = await live.until_ask(session)
    await answer(live, session, ask, ask.choices[0].id)
    undone = await peer.result(call)
    note, taken_back = of_kind(live.see(session), SystemBlock)
    assert note.title == "Written: 2 files, +2 −1"
    assert note.text.splitlines()[:2] == ["- `NOTES.md` +1 −1", "- `fresh.txt` +1 −0"]
    assert written["undo_id"] in note.text
    assert (taken_back.title.split(":")[0], undone["undo_id"] in taken_back.text) == ("Undone", True)
    assert errors(live, session) == []


async def test_a_failure_stands_in_the_session_once(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    live, peer, session = scene
    for _ in range(2):
        with pytest.raises(Refusal):
            await peer.call("edits.prepare", {"session_id": session, "diff": "nothing of a diff"})
        await peer.call("edits.undo", {"session_id": session, "undo_id": "edit_of_nobody"})
    stale = await prepared(peer, session)
    call = await peer.begin("edits.apply", {"diff_id": stale["diff_id"]})
    ask = await live.until_ask(session)
    (live.project / "NOTES.md").write_text("mine\n")
    await answer(live, session, ask, ask.choices[0].id)
    done = await peer.result(call)
    parse, undo, apply = errors(live, session)
    assert (parse[0], undo[0]) == ("parse_refused", "undo_refused")
    assert "No edit edit_of_nobody" in undo[1]
    assert apply == ("apply_refused", done["summary"])
    assert (live.project / "NOTES.md").read_text() == "mine\n"
    assert not (live.project / "fresh.txt").exists()


async def test_a_diff_that_is_gone_is_reported_where_it_belonged(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    first = await prepared(peer, session)
    (live.project / "NOTES.md").write_text("one\ntwo\n")
    for _ in range(MAX_DIFFS):
        await prepared(peer, session)
    for method in ("edits.view", "edits.prepared"):
        with pytest.raises(Refusal, match="no longer kept"):
            await peer.call(method, {"diff_id": first["diff_id"]})
    assert (await peer.call("edits.apply", {"diff_id": first["diff_id"]}))["status"] == "error"
    assert errors(live, session) == [
        ("view_refused", "That diff is no longer kept. Ask for it again."),
        ("apply_refused", "That diff is no longer kept. Ask for it again."),
    ]
    assert record(live) == [("apply", "none", "refused")]
