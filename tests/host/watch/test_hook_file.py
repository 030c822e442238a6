"""The file that hooks append to: begun again when it is long, and no line lost by that."""

import json
from pathlib import Path

import pytest

from bascule.core.watch.logs.tail_lines import TailLine
from bascule.host.watch import hook_file
from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.growing_file import GrowingFile
from bascule.host.watch.hook_file import HookFile


def line(number: int) -> str:
    said = {"source": "claude", "event": "working", "session_id": f"s{number}", "hook": "UserPromptSubmit"}
    return json.dumps(said) + "\n"


def test_lines_written_while_the_file_is_begun_again_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook_file, "MAX_SIZE", 1_000)
    hooks = HookFile(tmp_path, WatchFaults(), "panes")
    assert hooks.open()
    real = GrowingFile.read
    written: list[str] = []

    def read(file: GrowingFile) -> list[TailLine]:
        lines = real(file)
        if file.path == str(hooks.path) and written:
            early.write(written.pop())  # by a runner that had it open before
            early.flush()
        return lines

    monkeypatch.setattr(GrowingFile, "read", read)
    seen: list[str] = []
    for number in range(60):
        with hooks.path.open("a") as early:
            early.write(line(2 * number))
            early.flush()
            written.append(line(2 * number + 1))
            seen += [signal.session for signal in hooks.read()]
    seen += [signal.session for signal in hooks.read()]
    assert sorted(seen) == sorted(f"s{number}" for number in range(120))
    assert hooks.path.stat().st_size < 2_000
    hooks.close()
    assert list(hooks.folder.iterdir()) == []


def test_what_a_daemon_left_behind_is_removed(tmp_path: Path) -> None:
    hooks = HookFile(tmp_path, WatchFaults(), "panes")
    hooks.folder.mkdir()
    left = [hooks.folder / "panes-1.jsonl", hooks.folder / "panes-1.old"]
    for path in left:
        path.touch()
    assert hooks.open()
    assert not any(path.exists() for path in left)
    hooks.close()


def test_a_file_that_somebody_deleted_is_made_again(tmp_path: Path) -> None:
    hooks = HookFile(tmp_path, WatchFaults(), "panes")
    assert hooks.open()
    hooks.path.unlink()
    assert not hooks.is_open
    assert hooks.open()
    hooks.path.write_text(line(1))
    assert [signal.session for signal in hooks.read()] == ["s1"]
    hooks.close()
    assert list(hooks.folder.iterdir()) == []
