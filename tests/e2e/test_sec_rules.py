"""The security rules of seed 004, one test each, through the protocol as anybody could speak it.

SEC-005 is the relay's."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.peer import Message, Peer, Refusal
from tests.e2e.stage import Life, Stage, said
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


async def begin(life: Life) -> SessionId:
    (life.project / "NOTES.md").write_text("one\ntwo\n")
    return await life.begin()


async def test_sec_001_nothing_is_applied_without_a_yes_to_exactly_that(life: Life) -> None:
    session = await begin(life)
    before = files_of(life.project)
    async with open_peer(life) as peer:
        first, second = (
            await prepare(peer, session),
            await prepare(peer, session, DIFF.replace("zwei", "due")),
        )
        call = await peer.begin(
            "edits.apply",
            {"diff_id": first["diff_id"], "confirmed": first["hash"], "yes": True, "force": True},
        )
        ask = await life.until_ask(session)
        for choice in (f"apply:{second['hash']}", "apply:", "accept", "yes", ""):
            said_ = {"session_id": session, "ask_id": ask.id, "choice": choice}
            refused = await peer.refused("ask.answer", said_)
            assert "is not one of this Ask's answers" in refused.message
        assert files_of(life.project) == before
        no = {"session_id": session, "ask_id": ask.id, "choice": "decline"}
        await peer.call("ask.answer", no)
        assert (await peer.result(call))["status"] == "rejected"
        late = {"session_id": session, "ask_id": ask.id, "choice": f"apply:{first['hash']}"}
        assert "already answered" in (await peer.refused("ask.answer", late)).message
    assert files_of(life.project) == before


async def test_sec_002_no_test_is_run_without_a_yes(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        marked = "python3 -m unittest -q marks"
        (life.project / "marks.py").write_text("open('ran', 'w').close()\n")
        call = await peer.begin("test.run", {"session_id": session, "command": marked, "yes": True})
        ask = await life.until_ask(session)
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
        await answer(life, session, await life.until_ask(session), "accept")
        assert (await peer.result(call))["status"] == "error"
        assert life.see(session).asks == ()
        assert not (life.project / "ran").exists()


async def test_sec_003_making_a_diff_never_applies_it(life: Life) -> None:
    session = await begin(life)
    before = files_of(life.project)
    async with open_peer(life) as peer:
        made = await prepare(peer, session)
        await peer.call("edits.view", {"diff_id": made["diff_id"]})
        await peer.call("edits.select", {"diff_id": made["diff_id"], "files": [{"path": "fresh.txt"}]})
        diff = diff_of(await asked(life, session, "/patch demo:write one more function"))
        await peer.call("edits.view", {"diff_id": diff.diff_id})
    assert life.see(session).asks == ()
    assert files_of(life.project) == before


async def test_sec_004_no_path_leads_out_of_the_workspace(life: Life) -> None:
    session = await begin(life)
    outside = life.project.parent / "outside.txt"
    outside.write_text("theirs\n")
    (life.project / "door").symlink_to(life.project.parent)
    async with open_peer(life) as peer:
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
    assert said(life.see(session)) == []


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
    life: Life, swap: Callable[[Path, Path], None]
) -> None:
    session = await begin(life)
    outside = life.project.parent / "elsewhere"
    for folder in (outside, life.project / "sub"):
        folder.mkdir()
        (folder / "deep.txt").write_text("a\nb\n")
    (outside / "NOTES.md").write_text("one\ntwo\n")
    deep = "--- a/sub/deep.txt\n+++ b/sub/deep.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    diff = DIFF.replace("+new\n", f"+new\n{deep}")
    async with open_peer(life) as peer:
        made = await prepare(peer, session, diff)
        assert len(made["files"]) == 3
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await life.until_ask(session)
        swap(life.project, outside)
        theirs, ours = files_of(outside), files_of(life.project)
        await answer(life, session, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "error"
    assert files_of(outside) == theirs
    assert files_of(life.project) == ours


async def test_sec_006_a_failed_apply_leaves_no_part_of_it(life: Life) -> None:
    session = await begin(life)
    many = "".join(f"--- /dev/null\n+++ b/new/{n:03}.txt\n@@ -0,0 +1 @@\n+x\n" for n in range(50))
    async with open_peer(life) as peer:
        made = await prepare(peer, session, many + "--- a/NOTES.md\n+++ b/NOTES.md\n@@ -2 +2 @@\n-two\n+2\n")
        assert len(made["files"]) == 51
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await life.until_ask(session)
        (life.project / "NOTES.md").write_text("saved by a person\n")
        before = files_of(life.project)
        await answer(life, session, ask, ask.choices[0].id)
        done = await peer.result(call)
    assert (done["status"], "NOTES.md" in done["summary"]) == ("error", True)
    assert files_of(life.project) == before
    assert not (life.project / "new").exists()


async def test_sec_007_the_record_keeps_actor_and_final_status(stage: Stage) -> None:
    async with stage.life() as life, open_peer(life) as peer:
        session, reader = await begin(life), RecordReader(stage, life)
        made = await prepare(peer, session)
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await life.until_ask(session)
        await peer.call(
            "ask.answer", {"session_id": session, "ask_id": ask.id, "choice": f"apply:{made['hash']}"}
        )
        done = await peer.result(call)
        asked_, applied = await reader.news()
        label = life.app.surfaces.all()[0].label
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


async def test_nothing_is_committed_or_sent_anywhere(stage: Stage) -> None:
    """Neither by an apply, nor by its undo, nor by a patch answer, nor by a test."""
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await begin(life)
        remote = life.project.parent / "remote.git"
        remote.mkdir()
        git(remote, "init", "--bare", "-q")
        git(life.project, "init", "-q")
        git(life.project, "remote", "add", "origin", str(remote))
        git(life.project, "add", "-A")
        git(life.project, "commit", "-q", "-m", "one")
        log, staged = git(life.project, "log", "--all", "--format=%H"), git(life.project, "ls-files", "-s")
        made = await prepare(peer, session)
        call = await peer.begin("edits.apply", {"diff_id": made["diff_id"]})
        ask = await life.until_ask(session)
        await answer(life, session, ask, ask.choices[0].id)
        assert (await peer.result(call))["status"] == "ok"
        await asked(life, session, "/patch one more function")
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await answer(life, session, await life.until_ask(session), "accept")
        assert (await peer.result(call))["status"] == "ok"
        assert git(life.project, "status", "--short").split() == ["M", "NOTES.md", "??", "fresh.txt"]
        assert git(life.project, "log", "--all", "--format=%H") == log
        assert git(life.project, "ls-files", "-s") == staged
        assert git(remote, "for-each-ref") == ""
