"""What changed between two looks at a workspace, and whether a command did it."""

import time
from pathlib import Path

import pytest

from bascule.host.files import workspace_snapshot
from bascule.host.files.workspace_snapshot import (
    ABSENT,
    UNKNOWN,
    ChangedFile,
    CommandWindow,
    WorkspaceSnapshot,
)
from bascule.model.ids import BlockId, RunId, SessionId


def window(name: str = "one", *, ended: bool = True, start_ns: int | None = None) -> CommandWindow:
    """Of a command that began just now."""
    start = time.time_ns() if start_ns is None else start_ns
    return CommandWindow(
        session=SessionId("s"),
        run=RunId("r"),
        block=BlockId(name),
        start_ns=start,
        end_ns=start + 10**12 if ended else None,
    )


def versions(found: list[ChangedFile]) -> list[tuple[str, bytes | str, bytes | str]]:
    return sorted((one.path, _held(one.before), _held(one.after)) for one in found)


def _held(held: workspace_snapshot.FileVersion) -> bytes | str:
    return held.data if held.state == "text" else held.state


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name, data in (("a", b"one\n"), ("sub/b", b"two\n"), ("c", b"three\n"), ("bin", b"\0\1")):
        (tmp_path / name).write_bytes(data)
    return tmp_path


def looked(ws: Path) -> WorkspaceSnapshot:
    seen = WorkspaceSnapshot(ws)
    assert seen.look(()) == []
    return seen


def test_what_a_command_wrote_added_and_took_away(ws: Path) -> None:
    seen = looked(ws)
    command = window()
    (ws / "a").write_bytes(b"eins\n")
    (ws / "sub" / "new").write_bytes(b"neu\n")
    (ws / "c").unlink()
    (ws / "bin").write_bytes(b"\0\2")
    assert versions(seen.look([command])) == [
        ("a", b"one\n", b"eins\n"),
        ("bin", "binary", "binary"),
        ("c", b"three\n", "absent"),
        ("sub/new", "absent", b"neu\n"),
    ]
    assert seen.look([command]) == []  # reported once


def test_what_a_person_wrote_before_the_command_is_not_the_commands(ws: Path) -> None:
    seen = looked(ws)
    (ws / "a").write_bytes(b"mine\n")
    (ws / "c").unlink()
    assert seen.look([window(start_ns=time.time_ns() + 2 * workspace_snapshot.SLACK_NS)]) == []
    assert (seen.held("a").data, seen.held("c")) == (b"mine\n", ABSENT)


def test_what_changes_while_a_command_runs_is_reported_at_its_end(ws: Path) -> None:
    seen = looked(ws)
    running = window(ended=False)
    (ws / "a").write_bytes(b"first\n")
    assert seen.look([running]) == []
    (ws / "a").write_bytes(b"second\n")
    ended = window(start_ns=running.start_ns)
    assert versions(seen.look([ended])) == [("a", b"one\n", b"second\n")]


def test_what_the_agent_tells_of_itself_is_no_commands(ws: Path) -> None:
    seen = looked(ws)
    running = window(ended=False)
    (ws / "a").write_bytes(b"patched\n")
    assert seen.look([running], {"a"}) == []
    assert seen.held("a").data == b"patched\n"
    assert seen.look([window(start_ns=running.start_ns)]) == []


def test_a_file_that_is_only_touched_has_not_changed(ws: Path) -> None:
    seen = looked(ws)
    command = window()
    (ws / "a").write_bytes(b"one\n")
    assert seen.look([command]) == []


def test_of_a_file_first_seen_when_the_command_ran_the_past_is_not_known(ws: Path) -> None:
    running = window(ended=False)
    (ws / "a").write_bytes(b"changed already\n")
    seen = WorkspaceSnapshot(ws)
    assert seen.look([running]) == []
    found = {one.path: one for one in seen.look([window(start_ns=running.start_ns)])}
    assert (found["a"].before, found["a"].after.data) == (UNKNOWN, b"changed already\n")


def test_caches_links_and_git_are_not_looked_at(ws: Path, tmp_path: Path) -> None:
    seen = looked(ws)
    command = window()
    for name in (".git", "__pycache__", "node_modules"):
        (ws / name).mkdir()
        (ws / name / "x").write_bytes(b"x\n")
    (ws / "link").symlink_to(tmp_path / "a")
    assert seen.look([command]) == []


def test_limits_are_reported_and_nothing_is_guessed_beyond_them(
    ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_snapshot, "MAX_FILES", 2)
    seen = looked(ws)
    assert not seen.is_whole
    command = window()
    (ws / "0").write_bytes(b"new\n")
    assert versions(seen.look([command])) == [("0", "unknown", b"new\n")]


def test_large_files_are_named_and_not_kept(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_snapshot, "MAX_FILE", 10)
    seen = looked(ws)
    command = window()
    (ws / "a").write_bytes(b"x" * 11)
    assert versions(seen.look([command])) == [("a", b"one\n", "large")]
    monkeypatch.setattr(workspace_snapshot, "MAX_BYTES", 15)
    fresh = looked(ws)
    assert sorted(fresh.held(name).state for name in ("sub/b", "c")) == ["text", "text"]
    (ws / "more").write_bytes(b"12345\n")
    assert versions(fresh.look([window(start_ns=command.start_ns)])) == [("more", "absent", "large")]
