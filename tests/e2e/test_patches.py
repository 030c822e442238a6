"""/plan and /patch with a real Codex: nothing is written, a diff that fits hangs on the answer."""

from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind, of_run, replies, said, without_notes
from tests.e2e.peer import events, seqs, states, texts
from tests.e2e.test_edits_over_protocol import answer, open_peer
from tests.e2e.test_plain import open_peer as open_plain
from tests.e2e.test_test_runs import COMMAND, allow

from bascule.core.prompts.purposes import AGAIN
from bascule.daemon.agents import agent_process
from bascule.model.attachments import DiffAttachment, ErrorAttachment
from bascule.model.blocks import AssistantBlock, ErrorBlock, FileChangeBlock, SystemBlock, UserBlock
from bascule.model.ids import SessionId
from bascule.model.session import Session

pytestmark = pytest.mark.real


def files_of(project: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(project)): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


async def asked(live: LiveApp, session: SessionId, text: str) -> Session:
    """Until the answer has been looked at."""
    live.say(session, text)
    await live.until(session, lambda seen: any(block.id.startswith("patch:") for block in seen.blocks))
    return await live.until_idle(session)


def diff_of(seen: Session) -> DiffAttachment:
    (block,) = [b for b in of_kind(seen, AssistantBlock) if b.id.startswith("patch:")]
    (attached,) = block.attachments
    assert isinstance(attached, DiffAttachment)
    return attached


async def test_a_patch_answer_carries_a_diff_that_is_viewed_and_applied_by_its_id(live: LiveApp) -> None:
    session = await live.begin()
    before = files_of(live.project)
    seen = await asked(live, session, "/patch one more function")
    diff = diff_of(seen)
    assert [(file.path, file.additions, file.deletions) for file in diff.files] == [
        ("wordkit.py", 6, 1),
        ("test_initials.py", 8, 0),
    ]
    assert "+def initials" in diff.unified_diff
    assert said(seen) == ["/patch one more function"]
    assert files_of(live.project) == before
    async with open_peer(live) as peer:
        viewed = await peer.call("edits.view", {"diff_id": diff.diff_id})
        assert "def initials" in viewed["files"][0]["after"]
        call = await peer.begin("edits.apply", {"diff_id": diff.diff_id})
        ask = await live.until_ask(session)
        await answer(live, session, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "ok"
    changed = files_of(live.project)
    assert set(changed) - set(before) == {"test_initials.py"}
    assert b"def initials" in changed["wordkit.py"]


async def test_a_diff_that_does_not_fit_is_asked_for_once_more_with_the_reason(live: LiveApp) -> None:
    session = await live.begin()
    seen = await asked(live, session, "/patch demo:wrong one more function")
    assert [run.outcome for run in seen.runs] == ["completed", "completed"]
    (again,) = of_kind(seen, SystemBlock)
    assert again.run == seen.runs[1].id
    assert again.text.startswith(AGAIN)
    assert "wordkit.py" in again.text
    assert said(seen) == ["/patch demo:wrong one more function"]
    assert "+def initials" in diff_of(seen).unified_diff


async def test_after_the_second_useless_answer_the_failure_is_reported(live: LiveApp) -> None:
    session = await live.begin()
    before = files_of(live.project)
    seen = await asked(live, session, "/patch demo:useless one more function")
    assert len(seen.runs) == 2
    (failed,) = of_kind(seen, ErrorBlock)
    (attached,) = failed.attachments
    assert isinstance(attached, ErrorAttachment)
    assert (failed.id, failed.title) == (f"patch:{seen.runs[0].id}", "No diff that can be applied")
    assert attached.code == "patch_unusable"
    assert "wordkit.py" in attached.message
    assert files_of(live.project) == before


async def test_what_waits_in_the_queue_follows_the_second_answer(live: LiveApp) -> None:
    session = await live.begin()
    live.say(session, "/patch demo:wrong one more function")
    live.say(session, "demo:search")
    seen = await live.until(session, lambda seen: len(seen.runs) == 3)
    await live.until_idle(session)
    first = [next(iter(of_run(live.see(session), at))) for at in range(3)]
    assert [type(block) for block in first] == [UserBlock, SystemBlock, UserBlock]
    assert seen.id == session


def allow_writing(setup: Setup) -> None:
    written = setup.folder.settings.read_text()
    setup.folder.settings.write_text(written.replace("[codex]\n", '[codex]\nsandbox = "workspace-write"\n'))


async def test_codex_itself_refuses_every_write_of_a_patch_turn_and_the_next_turn_may_again(
    setup: Setup,
) -> None:
    allow_writing(setup)
    async with setup.run() as live:
        session = await live.begin()
        before = files_of(live.project)
        seen = await asked(live, session, "/patch demo:write one more function")
        assert files_of(live.project) == before
        assert seen.asks == ()
        tried = next(text for text in replies(seen) if text.startswith("I tried to write"))
        assert "blocked by read-only sandbox" in tried
        assert "Read-only file system" in tried or "Permission denied" in tried
        assert "cannot ask for escalated permissions" in tried
        live.say(session, "demo:edit")  # nobody is asked: the sandbox of the settings lets it write
        seen = await live.until_idle(session)
        assert [block.status for block in of_kind(seen, FileChangeBlock)] == ["declined", "completed"]
        assert b"def initials" in files_of(live.project)["wordkit.py"]


async def test_a_plan_is_asked_for_in_a_turn_that_writes_nothing(live: LiveApp) -> None:
    session = await live.begin()
    before = files_of(live.project)
    live.say(session, "/plan one more function")
    seen = await live.until_idle(session)
    assert "1. Add a function" in replies(seen)[-1]
    assert said(seen) == ["/plan one more function"]
    assert files_of(live.project) == before


async def test_without_a_prompt_nothing_is_sent(live: LiveApp) -> None:
    session = await live.begin()
    async with open_peer(live) as peer:
        for name in ("/plan", "/patch"):
            refused = await peer.refused(
                "run.start", {"session_id": session, "input": {"type": "text", "text": name}}
            )
            assert refused.message == f"{name} needs a prompt: {name} PROMPT. Nothing was sent."
    assert said(live.see(session)) == []


async def test_a_patch_is_not_steered_into_a_run_that_may_write(live: LiveApp) -> None:
    session = await live.begin()
    live.say(session, "demo:slow")
    await live.until_streaming(session)
    async with open_peer(live) as peer:
        refused = await peer.refused(
            "run.start",
            {"session_id": session, "how": "steer", "input": {"type": "text", "text": "/patch more"}},
        )
    assert "need a run of their own" in refused.message
    live.app.prompts.interrupt(session)
    await live.until_idle(session)


async def test_after_a_restart_the_log_is_as_it_was_and_the_diff_is_checked_again_and_applied(
    setup: Setup,
) -> None:
    async with setup.run() as live:
        session = await live.begin()
        before = await asked(live, session, "/patch demo:wrong one more function")
    async with setup.run() as live:
        await live.app.sessions.open(session)
        seen = live.see(session)
        assert [b.id for b in without_notes(seen)] == [b.id for b in without_notes(before)]
        assert (said(seen), [b.text for b in of_kind(seen, SystemBlock)]) == (
            said(before),
            [b.text for b in of_kind(before, SystemBlock)],
        )
        async with open_peer(live) as peer:
            offered = {"diff_id": diff_of(seen).diff_id}
            viewed = await peer.call("edits.view", offered)
            call = await peer.begin("edits.apply", offered)
            ask = await live.until_ask(session)
            await answer(live, session, ask, ask.choices[0].id)
            done = await peer.result(call)
        assert (viewed["diff_id"], done["status"]) == (offered["diff_id"], "ok")
        assert "def initials" in (live.project / "wordkit.py").read_text()


async def test_a_diff_that_no_longer_fits_after_a_restart_says_so(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        diff = diff_of(await asked(live, session, "/patch one more function"))
        (live.project / "wordkit.py").write_text("other\n")
    async with setup.run() as live, open_peer(live) as peer:
        await live.app.sessions.open(session)
        refused = await peer.refused("edits.view", {"diff_id": diff.diff_id})
        done = await peer.call("edits.apply", {"diff_id": diff.diff_id})
    assert "wordkit.py" in refused.message
    assert (done["status"], done["summary"]) == ("error", refused.message)


@pytest.mark.parametrize(
    ("fault", "why"), [("missing", "no-such-codex"), ("chatter", "Codex did not answer within 1 s.")]
)
async def test_where_codex_is_not_there_a_toast_and_an_error_attachment_say_so(
    setup: Setup, fault: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or where it does not answer."""
    setup.use_fake("app_server", "none")
    async with setup.run() as live:
        session = await live.begin()
    if fault == "missing":
        setup.write_settings(command="no-such-codex")
    else:
        setup.use_fake("app_server", fault)
    monkeypatch.setattr(agent_process, "HANDSHAKE_S", 1.0)
    async with setup.run() as live, open_plain(live) as peer:
        live.say(session, "/patch one more function")
        toast = await peer.until(lambda message: message.get("method") == "ui.toast")
        assert toast["params"]["level"] == "error"
        assert "was not sent" in toast["params"]["message"]
        (block,) = of_kind(live.see(session), ErrorBlock)
        (attached,) = block.attachments
        assert isinstance(attached, ErrorAttachment)
        assert attached.code == "agent_gone"
        assert why in attached.message


async def test_a_patch_from_the_question_to_its_undoing(setup: Setup) -> None:
    """Two hunks of three are applied, the tests are run, it is undone; then the diff is stale."""
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        before = files_of(live.project)
        diff = diff_of(await asked(live, session, "/patch one more function"))
        chosen = await peer.call(
            "edits.select", {"diff_id": diff.diff_id, "files": [{"path": "wordkit.py", "hunks": [1, 2]}]}
        )
        call = await peer.begin("edits.apply", {"diff_id": chosen["diff_id"]})
        ask = await live.until_ask(session)
        await answer(live, session, ask, ask.choices[0].id)
        written = await peer.result(call)
        assert set(files_of(live.project)) == set(before)
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await answer(live, session, await live.until_ask(session), "accept")
        assert (await peer.result(call))["status"] == "ok"
        refused = await peer.call("test.run", {"session_id": session, "command": "rm -rf ."})
        assert refused["status"] == "rejected"
        call = await peer.begin("edits.undo", {"session_id": session, "undo_id": written["undo_id"]})
        ask = await live.until_ask(session)
        await answer(live, session, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "ok"
        assert (live.project / "wordkit.py").read_bytes() == before["wordkit.py"]
        (live.project / "wordkit.py").write_text("mine\n")
        call = await peer.begin("edits.apply", {"diff_id": diff.diff_id})
        ask = await live.until_ask(session)
        await answer(live, session, ask, ask.choices[0].id)
        stale = await peer.result(call)
        assert (stale["status"], "wordkit.py" in stale["summary"]) == ("error", True)
        assert (live.project / "wordkit.py").read_text() == "mine\n"


async def test_a_surface_that_knows_events_gets_the_diff_before_the_run_ends(live: LiveApp) -> None:
    async with open_plain(live) as peer:
        heard = await peer.play("/patch one more function")
        assert states(heard) == ["running", "completed"]
        assert seqs(heard) == list(range(len(events(heard))))
        (final,) = texts(heard, "final")
        assert final == texts(heard)[-1]  # so that a client that shows both shows it once
        assert final.startswith("A diff of 2 files, +14 -1. It fits the files as they are.")
        assert "```diff\ndiff --git a/wordkit.py b/wordkit.py\n" in final
        assert "bascule diff apply -" in final


async def test_such_a_surface_sees_the_second_answer_as_a_run_of_its_own(live: LiveApp) -> None:
    async with open_plain(live) as peer:
        first = await peer.play("/patch demo:useless one more function")
        assert states(first) == ["running", "completed"]
        begun = await peer.until(
            lambda message: (
                message.get("method") == "run.status"
                and message["params"]["run_id"] != first[0]["params"]["run_id"]
            )
        )
        second = await peer.finish(begun["params"]["run_id"])
        assert states(second) == ["running", "completed"]
        assert any(text.startswith("Error: No diff that can be applied") for text in texts(second))
        assert first == peer.of_run(first[0]["params"]["run_id"])  # nothing after its end


async def test_until_the_answer_is_judged_the_run_goes_on(live: LiveApp) -> None:
    """Nobody sees an end without the diff, and a status that says that nothing is going on."""
    session = await live.begin()
    watcher = live.watch(session)
    seen: list[tuple[str, str, bool]] = []
    live.say(session, "/patch demo:wrong one more function")
    lane = live.app.roster.lane(session)
    while not (lane.idle and seen):
        await watcher.next()
        now = live.see(session)
        is_there = any(block.id.startswith("patch:") for block in now.blocks)
        seen += [(run.outcome, now.status, is_there) for run in now.runs[-1:]]
    watcher.close()
    assert seen[-1] == ("completed", "completed", True)
    ended = [(status, is_there) for outcome, status, is_there in seen if outcome == "completed"]
    assert set(ended) <= {("working", False), ("working", True), ("completed", True)}
