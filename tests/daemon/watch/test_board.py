"""The board over the protocol: files of agents in, lines out; a slow surface begins again."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.core.watch.logs.rollouts import ID, line, user
from tests.daemon.watch.machine import Machine, open_machine

from bascule.client.link import LinkRefused
from bascule.daemon.app import open_app
from bascule.daemon.watch.board_feed import MAX_WAITING, BoardFeed
from bascule.host.files.data_folder import open_folder
from bascule.host.watch.hook_file import CHOSEN, notify_folder
from bascule.model.changes import DeletedSet
from bascule.model.ids import SessionId, ThreadId
from bascule.model.protocol.board import BoardNotify, BoardParams
from bascule.model.session import Session, Status
from bascule.model.watch import Signal, WatchedSession


async def test_what_is_there_already_is_listed(machine: Machine) -> None:
    machine.rollout("meta", "started", "user", "call")
    machine.claude("busy")
    listed = await machine.link.call("board.list", BoardParams())
    assert [(one.key, one.status, one.title) for one in listed.sessions] == [
        ("claude:c1", "working", "tidy-66"),
        (f"codex:{ID}", "unknown", "Fix the bug"),
    ]


async def test_a_claude_goes_through_its_statuses_on_the_board(machine: Machine) -> None:
    await machine.link.call("board.watch", BoardParams())
    machine.claude(None)
    for status, expected in (
        ("idle", "completed"),
        ("busy", "working"),
        ("waiting", "waiting_user"),
        ("busy", "working"),
        ("idle", "completed"),
    ):
        machine.claude(status)
        shown = await machine.until("claude:c1", expected)
        assert (shown.source, shown.cwd) == ("registry", str(machine.home))
    machine.claude("idle").unlink()
    assert (await machine.until("claude:c1", "unknown")).evidence == "file removed"  # the process lives


async def test_two_watchers_of_one_home_see_the_same_and_write_nothing(
    machine: Machine, tmp_path: Path
) -> None:
    rollout, registry = machine.rollout("meta", "user"), machine.claude("busy")
    before = {path: path.stat().st_mtime_ns for path in machine.home.rglob("*")}
    async with open_machine(tmp_path / "other", machine.home) as other:
        for one in (machine, other):
            await one.link.call("board.watch", BoardParams())
            await one.until("claude:c1", "working")
            await one.until(f"codex:{ID}", "unknown")
        assert {path: path.stat().st_mtime_ns for path in machine.home.rglob("*")} == before
        machine.claude("idle")
        machine.rollout("call")
        for one in (machine, other):
            await one.until("claude:c1", "completed")
            while not any(line.evidence == "open tool call" for line in one.lines):
                one.news.clear()
                await one.news.wait()
    assert (rollout.exists(), registry.exists()) == (True, True)


async def test_hook_lines_reach_the_board(machine: Machine) -> None:
    await machine.link.call("board.watch", BoardParams())
    for event, hook in (
        ("working", "UserPromptSubmit"),
        ("waiting_user", "PermissionRequest"),
        ("completed", "Stop"),
    ):
        machine.hook(event, hook)
        shown = await machine.until("claude:h1", event)
        assert (shown.source, shown.evidence, shown.cwd) == ("hook", hook, "/p")


async def test_a_new_rollout_in_a_new_folder_is_noticed_and_has_no_dot(machine: Machine) -> None:
    await machine.link.call("board.watch", BoardParams())
    machine.rollout("meta", "user")
    first = await machine.until(f"codex:{ID}", "unknown")
    assert (first.evidence, first.source) == ("prompt", "rollout")
    machine.rollout("final")
    while machine.lines[-1].evidence != "final answer":
        machine.news.clear()
        await machine.news.wait()
    assert machine.lines[-1].status == "unknown"
    machine.rollout("subagent meta", "user", name="other")
    machine.rollout("meta", "user2", name="x", day="2026/11/17")
    assert {one.their_id for one in machine.lines} == {ID}


async def test_texts_are_cleaned_and_secrets_are_taken_out(machine: Machine) -> None:
    path = machine.rollout(name="11111111-9688-71e0-afcf-a846f82f276f")
    meta = line("session_meta", {"id": "evil", "cwd": "/p\x1b[31m"})
    path.write_bytes(meta + b"\n" + user("use sk-abcdefghijkl\x1b]0;x\x07 \u202enow") + b"\n")
    listed = await machine.link.call("board.list", BoardParams())
    assert [(one.title, one.cwd) for one in listed.sessions] == [("use sk-[redacted] <U+202E>now", "/p")]


@pytest.mark.parametrize("session", ["c\x1b]0;x\x07", "c\u202e", "c\n1", "\x9b2J", " "])
async def test_an_id_that_could_not_be_shown_as_it_is_is_none(machine: Machine, session: str) -> None:
    """It is printed where there is no title, and recorded where its session is joined."""
    machine.claude("busy", session)
    machine.hook("working", "UserPromptSubmit", session)
    path = machine.rollout(name="11111111-9688-71e0-afcf-a846f82f276f")
    path.write_bytes(line("session_meta", {"id": session, "cwd": "/p"}) + b"\n" + user("Hello") + b"\n")
    assert (await machine.link.call("board.list", BoardParams())).sessions == ()


async def test_our_own_sessions_are_on_the_board_once(machine: Machine) -> None:
    ours = Session(
        id=SessionId("ses_1"),
        workspace="/p",
        thread=ThreadId(ID),
        title="Ours",
        status="working",
        updated_at_ms=5,
    )
    machine.app.hub.add(ours)
    machine.rollout("meta", "user")
    await machine.link.call("board.watch", BoardParams())
    shown = await machine.until(f"codex:{ID}", "working")
    assert (shown.session_id, shown.source, shown.title) == ("ses_1", "protocol", "Ours")
    listed = await machine.link.call("board.list", BoardParams())
    assert len(listed.sessions) == 1


async def test_a_deleted_session_is_not_on_the_board_though_its_agent_keeps_a_file(machine: Machine) -> None:
    ours = Session(id=SessionId("ses_1"), workspace="/p", thread=ThreadId(ID), title="Ours", updated_at_ms=5)
    machine.app.hub.add(replace(ours, deleted_at_ms=5))
    machine.rollout("meta", "user")
    assert (await machine.link.call("board.list", BoardParams())).sessions == ()
    await machine.link.call("board.watch", BoardParams())
    machine.app.hub.apply(ours.id, [DeletedSet(None)])
    assert (await machine.until(f"codex:{ID}", "unknown")).title == "Ours"
    machine.frames.clear()
    machine.app.hub.apply(ours.id, [DeletedSet(6)])
    while not machine.frames:
        machine.news.clear()
        await machine.news.wait()
    assert [(one.whole, one.sessions, one.gone) for one in machine.frames] == [(False, (), (f"codex:{ID}",))]
    assert (await machine.link.call("board.list", BoardParams())).sessions == ()


async def test_only_a_surface_that_mirrors_state_can_watch(machine: Machine) -> None:
    surface = machine.app.surfaces.all()[0]
    surface.capabilities = type(surface.capabilities)()
    with pytest.raises(LinkRefused, match="supports_session_sync"):
        await machine.link.call("board.watch", BoardParams())


async def test_no_more_is_sent_after_unwatch(machine: Machine) -> None:
    await machine.link.call("board.watch", BoardParams())
    machine.claude("busy")
    await machine.until("claude:c1", "working")
    await machine.link.call("board.unwatch", BoardParams())
    sent = len(machine.frames)
    machine.app.session_watch.feed(
        [Signal(source="hook", agent="claude", session="z", evidence="Stop", status="completed")]
    )
    await machine.link.call("board.list", BoardParams())
    assert len(machine.frames) == sent


async def test_who_leaves_while_the_files_are_read_is_sent_nothing(machine: Machine) -> None:
    machine.claude("busy")
    await asyncio.gather(
        machine.link.call("board.watch", BoardParams()), machine.link.call("board.unwatch", BoardParams())
    )
    listed = await machine.link.call("board.list", BoardParams())
    assert [one.key for one in listed.sessions] == ["claude:c1"]
    assert machine.frames == []


async def test_a_source_that_cannot_be_read_is_named_with_the_board(machine: Machine) -> None:
    blocked = machine.home / ".claude" / "sessions"
    blocked.parent.mkdir()
    blocked.write_text("no folder")
    await machine.link.call("board.watch", BoardParams())
    while not machine.frames:
        machine.news.clear()
        await machine.news.wait()
    assert machine.frames[0].faults == (f"{blocked}: Not a directory",)


async def test_a_fault_that_comes_later_or_is_over_is_told_too(machine: Machine) -> None:
    machine.claude("busy")
    await machine.link.call("board.watch", BoardParams())
    await machine.until("claude:c1", "working")
    odd = machine.home / ".claude" / "sessions" / "1.json"
    odd.mkdir()
    await machine.until_faults(f"{odd}: it is not a file")
    odd.rmdir()
    await machine.until_faults()


async def test_a_session_whose_rollout_is_deleted_leaves_the_board(machine: Machine) -> None:
    path = machine.rollout("meta", "user")
    await machine.link.call("board.watch", BoardParams())
    await machine.until(f"codex:{ID}", "unknown")
    path.unlink()
    await machine.until_gone(f"codex:{ID}")
    listed = await machine.link.call("board.list", BoardParams())
    assert [one.key for one in listed.sessions if one.agent == "codex"] == []
    machine.lines.clear()
    machine.rollout("meta", "user")  # and is back with its file
    await machine.until(f"codex:{ID}", "unknown")


async def test_the_hooks_file_goes_with_the_daemon(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    notify_folder(folder.root).mkdir()
    (notify_folder(folder.root) / CHOSEN).touch()
    left = notify_folder(folder.root) / "outside-99999999.jsonl"
    left.touch()
    env = {"HOME": str(tmp_path), "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": ""}
    async with open_app(folder, command="test", env=env) as app:
        await app.session_watch.begin()
        assert sorted(path.name for path in notify_folder(folder.root).glob("*.jsonl")) == [
            f"outside-{os.getpid()}.jsonl",
            f"panes-{os.getpid()}.jsonl",
        ]
    assert list(notify_folder(folder.root).glob("*.jsonl")) == []


def make_line(key: str, status: Status = "working", evidence: str = "x", at_ms: int = 0) -> WatchedSession:
    return WatchedSession(
        key=key,
        agent="a",
        source="hook",
        their_id=key,
        status=status,
        evidence=evidence,
        activity_at_ms=at_ms,
    )


async def test_a_slow_surface_is_sent_the_whole_board_again() -> None:
    board = BoardNotify(sessions=(make_line("now"),), whole=True)
    feed = BoardFeed(asyncio.Event(), lambda: board, lambda _feed: None)
    feed.open()
    assert b'"whole":true' in feed.frames()[0]
    for number in range(MAX_WAITING + 1):
        feed.put(make_line(str(number)))
    (frame,) = feed.frames()
    assert b'"whole":true' in frame
    assert frame.count(b'"key"') == 1
    assert feed.frames() == []


async def test_a_change_that_says_no_more_is_joined_and_no_status_is_lost() -> None:
    feed = BoardFeed(asyncio.Event(), lambda: BoardNotify(sessions=()), lambda _feed: None)
    feed.open()
    feed.frames()
    for number in range(500):
        feed.put(make_line("k", at_ms=number))
    later: tuple[Status, ...] = ("waiting_user", "working", "completed")
    for status in later:
        feed.put(make_line("k", status))
    (frame,) = feed.frames()
    sent = json.loads(frame)["params"]["sessions"]
    assert [one["status"] for one in sent] == ["working", "waiting_user", "working", "completed"]
    assert sent[0]["activity_at_ms"] == 499
