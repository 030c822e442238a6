"""A session of another program, looked at: its file as blocks as it grows, and nothing is done to it."""

from pathlib import Path

import pytest
from tests.core.watch.logs.rollouts import ID, WORDS, line
from tests.daemon.watch.machine import Machine

from bascule.client.link import LinkRefused
from bascule.daemon.watch.live_views import MAX_VIEWS
from bascule.host.watch.session_log import TAIL, find_rollout, find_transcript
from bascule.model.blocks import AssistantBlock, CommandBlock, SystemBlock, UserBlock
from bascule.model.protocol.board import BoardParams
from bascule.model.protocol.sessions import SessionRef, WatchParams
from bascule.model.session import Session

KEY = f"watched:codex:{ID}"


def kinds(session: Session) -> list[type]:
    return [type(block) for block in session.blocks]


async def test_a_rollout_is_shown_as_it_grows(machine: Machine) -> None:
    path = machine.rollout("meta", "started", "user", "call")
    looked = await machine.look(KEY)
    shown = await looked.until(lambda one: len(one.blocks) == 2)
    assert kinds(shown) == [UserBlock, CommandBlock]
    assert (shown.agent, shown.workspace, shown.title) == ("codex", "/p", "Fix the bug")
    assert shown.elsewhere is not None
    assert (shown.elsewhere.their_id, shown.elsewhere.home, shown.elsewhere.joined) == (ID, "", False)
    before = path.stat()
    machine.rollout("output", "final", "complete")
    done = await looked.until(lambda one: one.runs and one.runs[-1].outcome == "completed")
    assert kinds(done) == [UserBlock, CommandBlock, AssistantBlock]
    assert path.stat().st_ino == before.st_ino
    assert machine.app.hub.conversations() == []
    assert machine.app.pool.states() == []


async def test_a_transcript_is_shown_and_its_status_is_the_registrys(machine: Machine) -> None:
    machine.claude("busy")
    machine.transcript({"type": "user", "message": {"content": "Fix it"}})
    looked = await machine.look("watched:claude:c1")
    assert (await looked.until(lambda one: one.blocks)).status == "working"
    machine.transcript({"type": "assistant", "message": {"content": [{"type": "text", "text": "Done."}]}})
    machine.claude("idle")
    shown = await looked.until(lambda one: len(one.blocks) == 2 and one.status == "completed")
    assert kinds(shown) == [UserBlock, AssistantBlock]


async def test_a_transcript_alone_is_no_status_and_no_line(machine: Machine) -> None:
    machine.transcript({"type": "user", "message": {"content": "Fix it"}}, session="c9")
    machine.claude("idle")
    listed = await machine.link.call("board.list", BoardParams())
    assert [(one.key, one.status) for one in listed.sessions] == [("claude:c1", "completed")]
    looked = await machine.look("watched:claude:c1")
    machine.transcript({"type": "user", "message": {"content": "And now this"}})
    shown = await looked.until(lambda one: UserBlock in kinds(one))
    assert shown.status == "completed"  # as the registry says, whatever was written


async def test_a_session_without_a_file_says_so_until_there_is_one(machine: Machine) -> None:
    machine.claude("idle")
    looked = await machine.look("watched:claude:c1")
    assert kinds(await looked.until(lambda one: one.blocks)) == [SystemBlock]
    machine.transcript({"type": "user", "message": {"content": "Fix it"}})
    assert kinds(await looked.until(lambda one: UserBlock in kinds(one))) == [UserBlock]


async def test_a_file_that_is_replaced_begins_again(machine: Machine) -> None:
    path = machine.rollout("meta", "user", "assistant")
    looked = await machine.look(KEY)
    await looked.until(lambda one: len(one.blocks) == 2)
    path.write_bytes(b"".join(WORDS[word] + b"\n" for word in ("meta", "user2")))
    shown = await looked.until(lambda one: len(one.blocks) == 1)
    assert [block.text for block in shown.blocks if isinstance(block, UserBlock)] == ["And now the tests"]
    assert shown.elsewhere is not None


async def test_a_file_that_is_deleted_and_made_again_is_followed(machine: Machine) -> None:
    path = machine.rollout("meta", "user", "assistant")
    looked = await machine.look(KEY)
    await looked.until(lambda one: len(one.blocks) == 2)
    await machine.link.call("board.watch", BoardParams())
    path.unlink()
    await machine.until_gone(f"codex:{ID}")
    machine.rollout("meta", "user2")
    shown = await looked.until(lambda one: len(one.blocks) == 1)
    assert [block.text for block in shown.blocks if isinstance(block, UserBlock)] == ["And now the tests"]
    machine.rollout("assistant")
    await looked.until(lambda one: len(one.blocks) == 2)


async def test_of_a_long_file_the_end_is_shown_and_that_is_said(machine: Machine) -> None:
    path = machine.rollout("meta", "user")
    with path.open("ab") as out:
        out.write((WORDS["commentary"] + b"\n") * (TAIL // len(WORDS["commentary"]) + 10))
        out.write(WORDS["user2"] + b"\n")
    looked = await machine.look(KEY)
    shown = await looked.until(lambda one: UserBlock in kinds(one))
    assert isinstance(shown.blocks[-1], UserBlock)
    assert shown.dropped_blocks > 0 or isinstance(shown.blocks[0], SystemBlock)
    assert [block.text for block in shown.blocks if isinstance(block, UserBlock)] == ["And now the tests"]


async def test_nothing_is_followed_once_nobody_looks(machine: Machine) -> None:
    machine.rollout("meta", "user")
    looked = await machine.look(KEY)
    await looked.until(lambda one: one.blocks)
    views = machine.app.session_watch.views
    assert views.count == 1
    await machine.link.call("session.unwatch", WatchParams(session_id=KEY))
    assert views.count == 0


async def test_a_view_is_opened_and_prompted_by_nobody(machine: Machine) -> None:
    machine.rollout("meta", "user")
    await (await machine.look(KEY)).until(lambda one: one.blocks)
    await machine.link.call("session.open", SessionRef(session_id=KEY))  # a page says so; nothing happens
    assert machine.app.pool.states() == []
    for method in ("session.interrupt", "session.compact", "session.clear"):
        with pytest.raises(LinkRefused, match="There is no session"):
            await machine.link.call(method, SessionRef(session_id=KEY))


async def test_what_is_not_on_the_board_is_not_read_and_views_have_a_ceiling(machine: Machine) -> None:
    ids = [f"01a1e2e1-9688-71e0-afcf-{number:012d}" for number in range(MAX_VIEWS + 1)]
    for one in ids:
        path = machine.rollout(name=one)
        path.write_bytes(line("session_meta", {"id": one, "cwd": "/p"}) + b"\n" + WORDS["user"] + b"\n")
    for bad in ("watched:codex:../../etc/passwd", "watched:", "watched:claude:c1"):
        with pytest.raises(LinkRefused, match="no longer on the board"):
            await machine.look(bad)
    for one in ids[:-1]:
        await machine.look(f"watched:codex:{one}")
    with pytest.raises(LinkRefused, match="Close one first"):
        await machine.look(f"watched:codex:{ids[-1]}")


def test_a_file_is_found_by_its_id_and_no_link_is_followed(tmp_path: Path) -> None:
    day = tmp_path / "codex" / "sessions" / "2026" / "11"
    day.mkdir(parents=True)
    (day / "loop").symlink_to(tmp_path / "codex")
    (day / f"rollout-x-{ID}.jsonl").touch()
    assert find_rollout([str(tmp_path / "none"), str(tmp_path / "codex")], ID) == str(
        day / f"rollout-x-{ID}.jsonl"
    )
    assert find_rollout([str(tmp_path / "codex")], "../" + ID) is None
    project = tmp_path / "claude" / "projects" / "-p"
    project.mkdir(parents=True)
    (tmp_path / "secret").write_text("x")
    (project / "c1.jsonl").symlink_to(tmp_path / "secret")
    assert find_transcript([str(tmp_path / "claude")], "c1") is None
    (project / "c2.jsonl").touch()
    assert find_transcript([str(tmp_path / "claude")], "c2") == str(project / "c2.jsonl")


async def test_a_file_that_cannot_be_read_is_told_once(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.rollout("meta", "user")
    await machine.app.session_watch.begin()

    def refuse(_log: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("bascule.host.watch.session_log.SessionLog.read", refuse)
    looked = await machine.look(KEY)
    assert kinds(await looked.until(lambda one: one.blocks)) == [SystemBlock]
    assert any("Permission denied" in why for _, why in machine.app.session_watch.faults.said)
