"""Sessions in panes, proved by the processes that run there, whatever was typed to start them."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from tests.core.watch.logs.rollouts import ID, WORDS, event, line, user
from tests.daemon.watch.board_surface import BoardSurface
from tests.patience import until

from bascule.host.watch import hook_file
from bascule.host.watch.process_facts import read_process, read_state

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="open files are listed on Linux only")

OTHER = ID[:-1] + "0"
RUNNER = Path(hook_file.__file__).parent / "runner" / "bascule-notify.sh"


def make_script(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/bash\n{body}\n")
    path.chmod(0o755)


def find_rollout(home: Path, session: str) -> Path:
    day = home / ".codex" / "sessions" / "2026" / "11" / "17"
    day.mkdir(parents=True, exist_ok=True)
    return day / f"rollout-{session}.jsonl"


def begin_rollout(home: Path, session: str, cwd: Path) -> Path:
    path = find_rollout(home, session)
    meta = line("session_meta", {"id": session, "cwd": str(cwd), "source": "cli"})
    path.write_bytes(b"\n".join([meta, event("task_started", turn_id="t1"), user("Fix it"), b""]))
    return path


def make_codex(folder: Path, path: Path, words: str = "") -> None:
    """A script that has a rollout open: named like Codex, or as a process with these words."""
    (folder / "records").write_bytes(b"".join(WORDS[word] + b"\n" for word in ("meta", "started", "user")))
    opened = f"exec 3>>'{path}'; cat '{folder}/records' >&3"
    make_script(
        folder,
        "tool" if words else "codex",
        f"read go\n{opened}\n" + (f"exec -a {words}" if words else "sleep 1000"),
    )


async def read_shown_pid(page: BoardSurface, pane: str) -> int:
    shown = await page.until_shown(pane, b"pid:")
    while not (found := re.search(rb"pid:(\d+)\r\n", shown)):
        await page.wait()
        shown = page.shown[pane]
    return int(found[1])


async def put_aside(page: BoardSurface, pane: str) -> None:
    """Bash takes what is typed once it has drawn its prompt, a moment after the mark."""
    await page.type(pane, "\x1a")
    await until(lambda: re.search(rb"Stopped.*[$#] $", page.shown[pane], re.DOTALL), "the prompt")


async def test_an_open_rollout_binds_whatever_was_typed(page: BoardSurface, tmp_path: Path) -> None:
    first, second = await page.open(tmp_path), await page.open(tmp_path)
    make_codex(tmp_path, find_rollout(tmp_path / "home", ID))
    for pane in (first, second):
        await page.type(pane, "true && ./codex\r")
        await page.until(pane, command="true && ./codex")
    await page.type(second, "go\r")
    await page.until_line(f"codex:{ID}", "working", second)
    await page.type(second, "\x03")
    await page.until_line(f"codex:{ID}", "stopped", "")


@pytest.mark.parametrize("words", ["tail sleep 1000", "codex sh exec"])
async def test_what_is_no_codex_terminal_binds_nothing(
    page: BoardSurface, tmp_path: Path, words: str
) -> None:
    """A program that only reads the file, and a Codex that draws nothing."""
    pane = await page.open(tmp_path)
    make_script(tmp_path, "exec", "sleep 1000")
    path = find_rollout(tmp_path / "home", ID)
    make_codex(tmp_path, path, words)
    await page.type(pane, "true && ./tool\r")
    await page.until(pane, command="true && ./tool")
    await page.type(pane, "go\r")
    await page.until_line(f"codex:{ID}", "unknown", "")
    with path.open("ab") as out:
        out.write(WORDS["complete"] + b"\n")
    while page.lines[f"codex:{ID}"].evidence != "task_complete":
        await page.wait()
    assert page.lines[f"codex:{ID}"].pane == ""


async def test_a_codex_behind_another_command_waits_for_its_session(
    page: BoardSurface, tmp_path: Path
) -> None:
    """Its shared daemon has the files: that it runs in the pane is seen in the list of processes."""
    pane = await page.open(tmp_path)
    make_script(tmp_path, "tool", "echo up; exec -a codex cat")
    await page.type(pane, "true && ./tool\r")
    await page.until_shown(pane, b"up\r\n")
    begin_rollout(tmp_path / "home", OTHER, tmp_path / "elsewhere")
    await page.until_line(f"codex:{OTHER}", "unknown", "")
    begin_rollout(tmp_path / "home", ID, tmp_path)
    await page.until_line(f"codex:{ID}", "working", pane)


async def test_a_codex_that_is_put_aside_is_not_stopped_and_comes_back(
    page: BoardSurface, tmp_path: Path
) -> None:
    pane = await page.open(tmp_path)
    path = find_rollout(tmp_path / "home", ID)
    make_codex(tmp_path, path)
    await page.type(pane, "true && ./codex\r")
    await page.until(pane, command="true && ./codex")
    await page.type(pane, "go\r")
    await page.until_line(f"codex:{ID}", "working", pane)
    await put_aside(page, pane)
    await page.until_line(f"codex:{ID}", "unknown", "")
    await page.type(pane, "fg\r")
    await page.until(pane, command="fg")
    with path.open("ab") as out:
        out.write(WORDS["complete"] + b"\n")
    await page.until_line(f"codex:{ID}", "completed", pane)


async def test_a_codex_whose_daemon_has_its_files_is_put_aside_and_comes_back(
    page: BoardSurface, tmp_path: Path
) -> None:
    """Its process is all that is in the pane. What starts elsewhere in its folder is not taken for it."""
    pane, third = await page.open(tmp_path), ID[:-1] + "1"
    make_script(tmp_path, "codex", "echo pid:$$; cat")
    await page.type(pane, "./codex\r")
    pid = await read_shown_pid(page, pane)
    path = begin_rollout(tmp_path / "home", ID, tmp_path)
    await page.until_line(f"codex:{ID}", "working", pane)
    for word, status in (("complete", "completed"), ("user2", "working")):
        await put_aside(page, pane)
        await page.until_line(f"codex:{ID}", "unknown", "")
        await page.type(pane, "fg\r")
        await page.until(pane, command="fg")
        await until(lambda: read_state(pid) == "running", "its process")
        begin_rollout(tmp_path / "home", OTHER if word == "complete" else third, tmp_path)
        await page.until_line(f"codex:{OTHER if word == 'complete' else third}", "unknown", "")
        with path.open("ab") as out:
            out.write(WORDS[word] + b"\n")
        await page.until_line(f"codex:{ID}", status, pane)
    assert "stopped" not in {one.status for one in page.history}
    await page.type(pane, "\x03")
    await page.until_line(f"codex:{ID}", "stopped", "")


async def test_one_that_ends_beside_another_that_was_put_aside_is_stopped(
    page: BoardSurface, tmp_path: Path
) -> None:
    pane = await page.open(tmp_path)
    make_script(tmp_path, "codex", "echo up-$2; cat")
    for name, session in (("a", ID), ("b", OTHER)):
        await page.type(pane, f"./codex -c {name}\r")
        await page.until_shown(pane, f"up-{name}\r\n".encode())
        begin_rollout(tmp_path / "home", session, tmp_path)
        await page.until_line(f"codex:{session}", "working", pane)
        if name == "a":
            await put_aside(page, pane)
    await page.type(pane, "\x03")
    await page.until_line(f"codex:{OTHER}", "stopped", "")
    assert page.lines[f"codex:{ID}"].status == "unknown"


@pytest.mark.parametrize("hook", ["", "SessionStart"])
async def test_a_claude_that_is_put_aside_keeps_its_status(
    page: BoardSurface, tmp_path: Path, hook: str
) -> None:
    """Also where a hook named the pane before the registry named the process."""
    pane = await page.open(tmp_path)
    registry = tmp_path / "home" / ".claude" / "sessions"
    registry.mkdir(parents=True)
    said = json.dumps({"hook_event_name": hook, "session_id": "c1"})
    make_script(tmp_path, "tool", f"echo '{said}' | sh '{RUNNER}'; echo pid:$$; exec sleep 1000")
    await page.type(pane, "./tool\r")
    if hook:
        await page.until_line("claude:c1", "completed", pane)
    pid = await read_shown_pid(page, pane)
    facts = {"pid": pid, "sessionId": "c1", "procStart": read_process(pid).proc_start, "cwd": str(tmp_path)}
    (registry / f"{pid}.json").write_text(json.dumps({**facts, "status": "idle"}))
    await page.until_source("claude:c1", "registry", pane)
    await page.type(pane, "\x1a")
    await page.until_line("claude:c1", "completed", "")
    assert "stopped" not in {one.status for one in page.history}
    os.kill(pid, signal.SIGKILL)
    await page.until_line("claude:c1", "stopped", "")


async def test_a_session_that_was_changed_inside_codex_is_followed_where_its_file_is_open(
    page: BoardSurface, tmp_path: Path
) -> None:
    """A `/resume` is nothing that a shell sees: only what the process has open shows it."""
    pane = await page.open(tmp_path)
    first, second = (find_rollout(tmp_path / "home", session) for session in (ID, OTHER))
    opened = "; ".join(f"read go; exec 3>>'{path}'; cat '{path}.new' >&3" for path in (first, second))
    for path, session in ((first, ID), (second, OTHER)):
        meta = line("session_meta", {"id": session, "cwd": str(tmp_path), "source": "cli"})
        Path(f"{path}.new").write_bytes(meta + b"\n" + user("Fix it") + b"\n")
    make_script(tmp_path, "codex", f"{opened}; read end")
    await page.type(pane, "true && ./codex\r")
    await page.until(pane, command="true && ./codex")
    await page.type(pane, "go\r")
    await page.until_line(f"codex:{ID}", "working", pane)
    await page.type(pane, "go\r")
    await page.until_line(f"codex:{OTHER}", "working", pane)
    assert page.lines[f"codex:{ID}"].pane == ""
