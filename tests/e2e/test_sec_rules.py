"""The security rules of seed 004, one test each, through the protocol as anybody could speak it.

SEC-005 is the relay's."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp, Setup, said
from tests.e2e.peer import Message, Peer, Refusal
from tests.e2e.test_audit_paths import RecordReader
from tests.e2e.test_edits_over_protocol import DIFF, answer, open_peer
from tests.e2e.test_patches import asked, diff_of, files_of
from tests.e2e.test_test_runs import COMMAND, allow

from bascule.model.consent.audit import Local
from bascule.model.ids import SessionId

pytestmark = pytest.mark.real

CORPUS = (
    "../outside.txt",
    "a/../../outside.txt",
    "/etc/outside.txt",
    "C:/outside.txt",
    "\\\\server\\share\\x",
    ".git/config",
    "sub/.GIT/hooks/x",
    "nul",
    "a\0b",
)


async def prepare(peer: Peer, session: SessionId, diff: str = DIFF) -> Message:
    made: Message = await peer.call("edits.prepare", {"session_id": session, "diff": diff})
    return made


async def begin(live: LiveApp) -> SessionId:
    (live.project / "NOTES.md").write_text("one\ntwo\n")
    return await live.begin()


async def test_sec_001_nothing_is_applied_without_a_yes_to_exactly_that(live: LiveApp) -> None:
    session = await begin(live)
    before = files_of(live.project)
    async with open_peer(live) as peer:
        first, second = (
            await prepare(peer, session),
            await prepare(peer, session, DIFF.replace("zwei", "due")),
        )
        call = await peer.begin(
            "edits.apply",
            {"diff_id": first["diff_id"], "confirmed": first["hash"], "yes": True, "force": True},
        )
        ask = await live.until_ask(session)
        for choice in (f"apply:{second['hash']}", "apply:", "accept", "yes", ""):
            said_ = {"session_id": session, "ask_id": ask.id, "choice": choice}
            refused = await peer.refused("ask.answer", said_)
            assert "is not one of this Ask's answers" in refused.message
        assert files_of(live.project) == before
        no = {"session_id": session, "ask_id": ask.id, "choice": "decline"}
        await peer.call("ask.answer", no)
        assert (await peer.result(call))["status"] == "rejected"
        late = {"session_id": session, "ask_id": ask.id, "choice": f"apply:{first['hash']}"}
        assert "already answered" in (await peer.refused("ask.answer", late)).message
    assert files_of(live.project) == before


async def test_sec_002_no_test_is_run_without_a_yes(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        marked = "python3 -m unittest -q marks"
        (live.project / "marks.py").write_text("open('ran', 'w').close()\n")
        call = await peer.begin("test.run", {"session_id": session, "command": marked, "yes": True})
        ask = await live.until_ask(session)
        wrong = {"session_id": session, "ask_id": ask.id, "choice": "yes"}
        assert "is not one of this Ask's answers" in (await peer.refused("ask.answer", wrong)).message
        await peer.call("ask.answer", {**wrong, "choice": "decline"})
        assert (await peer.result(call))["status"] == "rejected"
        for command in ("sh -c 'touch ran'", "touch ran", "python3 -m unittest; touch ran"):
            done = await peer.call("test.run", {"session_id": session, "command": command})
            assert done["status"] == "rejected"
        words = (
            f"{COMMAND} && touch ran; touch ran"  # there is no shell: to the runner they are its own words
        )
        call = await peer.begin("test.run", {"session_id": session, "command": words})
        await answer(live, session, await live.until_ask(session), "accept")
        assert (await peer.result(call))["status"] == "error"
        assert live.see(session).asks == ()
        assert not (live.project / "ran").exists()


async def test_sec_003_making_a_diff_never_applies_it(live: LiveApp) -> None:
    session = await begin(live)
    before = files_of(live.project)
    async with open_peer(live) as peer:
        made = await prepare(peer, session)
        await peer.call("edits.view", {"diff_id": made["diff_id"]})
        await peer.call("edits.select", {"diff_id": made["diff_id"], "files": [{"path": "fresh.txt"}]})
        diff = diff_of(await asked(live, session, "/patch demo:write one more function"))
        await peer.call("edits.view", {"diff_id": diff.diff_id})
    assert live.see(session).asks == ()
    assert files_of(live.project) == before


async def test_sec_004_no_path_leads_out_of_the_workspace(live: LiveApp) -> None:
    session = await begin(live)
    outside = live.project.parent / "outside.txt"
    outside.write_text("theirs\n")
    (live.project / "door").symlink_to(live.project.parent)
    async with open_peer(live) as peer:
        for path in (*CORPUS, "door/outside.txt"):
            added = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
            with pytest.raises(Refusal):
                await prepare(peer, session, added)
        for path in ("../outside.txt", "door/outside.txt", str(outside)):
            start = {
                "session_id": session,
                "input": {"type": "text", "text": "look"},
                "context": {"files": [path]},
            }
            await peer.refused("run.start", start)
    assert outside.read_text() == "theirs\n"
    assert said(live.see(session)) == []


def to_a_link(project: Path, outside: Path) -> None:
    (project / "NOTES.md").unlink()
    (project / "NOTES.md").symlink_to(outside / "NOTES.md")


def to_a_linked_folder(project: Path, outside: Path) -> None:
    (project / "sub" / "deep.txt").unlink()
    (project / "sub").rmdir()
    (project / "sub").symlink_to(outside)


def to_a_hard_link(project: Path, outside: Path) -> None:
    (project / "NOTES.md").unlink()
    (project / "NOTES.md").hardlink_to(outside / "NOTES.md")


def to_other_bytes(project: Path, _outside: Path) -> None:
    (project / "NOTES.md").write_text("one\nmine\n")


@pytest.mark.parametrize("swap", [to_a_link, to_a_linked_folder, to_a_hard_link, to_other_bytes])
async def test_sec_004_what_is_swapped_while_the_question_stands_is_not_written_through(
    live: LiveApp, swap: Callable[[Path, Path], None]
) -> None:
    session = await begin(live)
    outside = live.project.parent / "elsewhere"
    for folder in (outside, live.project / "sub"):
        folder.mkdir()
        (folder / "deep.txt").write_text("a\nb\n")
    (outside / "NOTES.md").write_text("one\ntwo\n")
    deep = "--- a/sub/deep.txt\n+++ b/sub/deep.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    diff = DIFF.replace("+new\n", f"+new\n{deep}")
    async with open_peer(live) as peer:
        made = await prepare(peer, session, diff)
        assert len(made["files"]) == 3
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await live.until_ask(session)
        swap(live.project, outside)
        theirs, ours = files_of(outside), files_of(live.project)
        await answer(live, session, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "error"
    assert files_of(outside) == theirs
    assert files_of(live.project) == ours


async def test_sec_006_a_failed_apply_leaves_no_part_of_it(live: LiveApp) -> None:
    session = await begin(live)
    many = "".join(f"--- /dev/null\n+++ b/new/{n:03}.txt\n@@ -0,0 +1 @@\n+x\n" for n in range(50))
    async with open_peer(live) as peer:
        made = await prepare(peer, session, many + "--- a/NOTES.md\n+++ b/NOTES.md\n@@ -2 +2 @@\n-two\n+2\n")
        assert len(made["files"]) == 51
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await live.until_ask(session)
        (live.project / "NOTES.md").write_text("saved by a person\n")
        before = files_of(live.project)
        await answer(live, session, ask, ask.choices[0].id)
        done = await peer.result(call)
    assert (done["status"], "NOTES.md" in done["summary"]) == ("error", True)
    assert files_of(live.project) == before
    assert not (live.project / "new").exists()


async def test_sec_007_the_record_keeps_actor_and_final_status(setup: Setup) -> None:
    async with setup.run() as live, open_peer(live) as peer:
        session, reader = await begin(live), RecordReader(setup, live)
        made = await prepare(peer, session)
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await live.until_ask(session)
        await peer.call(
            "ask.answer", {"session_id": session, "ask_id": ask.id, "choice": f"apply:{made['hash']}"}
        )
        done = await peer.result(call)
        asked_, applied = await reader.news()
        label = live.app.surfaces.all()[0].label
        who = [entry.who for entry in (asked_, applied) if isinstance(entry.who, Local)]
        assert [(one.surface, one.client) for one in who] == [("terminal", label), ("terminal", label)]
        assert (asked_.ref, asked_.answer, asked_.hash) == (ask.id, "yes", made["hash"])
        assert (applied.outcome, applied.ref, applied.hash) == ("done", done["undo_id"], made["hash"])
        assert applied.answered_by is None  # who asked has answered


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", "-C", str(folder), *names, *words], capture_output=True, text=True, check=True
    )
    return done.stdout


async def test_nothing_is_committed_or_sent_anywhere(setup: Setup) -> None:
    """Neither by an apply, nor by its undo, nor by a patch answer, nor by a test."""
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        session = await begin(live)
        remote = live.project.parent / "remote.git"
        remote.mkdir()
        git(remote, "init", "--bare", "-q")
        git(live.project, "init", "-q")
        git(live.project, "remote", "add", "origin", str(remote))
        git(live.project, "add", "-A")
        git(live.project, "commit", "-q", "-m", "one")
        log, staged = git(live.project, "log", "--all", "--format=%H"), git(live.project, "ls-files", "-s")
        made = await prepare(peer, session)
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await live.until_ask(session)
        await answer(live, session, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "ok"
        await asked(live, session, "/patch one more function")
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await answer(live, session, await live.until_ask(session), "accept")
        assert (await peer.result(call))["status"] == "ok"
        assert git(live.project, "status", "--short").split() == ["M", "NOTES.md", "??", "fresh.txt"]
        assert git(live.project, "log", "--all", "--format=%H") == log
        assert git(live.project, "ls-files", "-s") == staged
        assert git(remote, "for-each-ref") == ""
