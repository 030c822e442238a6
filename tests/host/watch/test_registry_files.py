"""Claude's registry on the disk: processes that run, ended, or are others under the same number."""

import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from bascule.core.watch.registry import ProcessFacts
from bascule.host.watch import growing_file, registry_files
from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.process_facts import read_pid_domain, read_process
from bascule.host.watch.registry_files import MAX_FILES, RegistryFiles


def write(home: Path, pid: int, status: str | None = "busy", session: str = "s1", **more: object) -> Path:
    path = home / "sessions" / f"{pid}.json"
    path.parent.mkdir(exist_ok=True)
    said = {"pid": pid, "sessionId": session, "procStart": "1", "cwd": "/p", "name": "n", **more}
    path.write_text(json.dumps({**said, "status": status} if status else said))
    return path


class System:
    """Which processes there are."""

    def __init__(self) -> None:
        self.starts: dict[int, str] = {}

    def __call__(self, pid: int) -> ProcessFacts:
        start = self.starts.get(pid, "")
        return ProcessFacts(is_there=bool(start), proc_start=start)


def statuses(files: RegistryFiles) -> list[tuple[str, str]]:
    return [(signal.session, signal.status) for signal in files.read_all()]


def test_a_session_is_followed_from_its_start_to_its_end(tmp_path: Path) -> None:
    system = System()
    system.starts[7] = "1"
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    assert statuses(files) == []
    path = write(tmp_path, 7, None)
    assert statuses(files) == [("s1", "unknown")]
    for status, expected in (("busy", "working"), ("waiting", "waiting_user"), ("idle", "completed")):
        write(tmp_path, 7, status)
        assert statuses(files) == [("s1", expected)]
    assert statuses(files) == []  # nothing is new
    path.unlink()
    assert statuses(files) == [("s1", "unknown")]  # somebody removed it: the process runs
    write(tmp_path, 7, "waiting")
    assert statuses(files) == [("s1", "waiting_user")]
    path.unlink()
    assert statuses(files) == [("s1", "unknown")]
    system.starts.clear()
    assert statuses(files) == [("s1", "stopped")]
    assert statuses(files) == []


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("busy", "waiting", "waiting_user"),
        ("waiting", "busy", "waiting_user"),
        ("idle", "busy", "working"),
        ("idle", None, "completed"),
        (None, "idle", "completed"),
    ],
)
def test_a_session_in_two_terminals_shows_the_more_urgent(
    tmp_path: Path, first: str | None, second: str | None, shown: str
) -> None:
    system = System()
    system.starts.update({7: "1", 8: "1"})
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    write(tmp_path, 7, first)
    write(tmp_path, 8, second)
    assert statuses(files) == [("s1", shown)]
    system.starts.clear()
    assert statuses(files) == [("s1", "stopped")]


def test_a_killed_process_is_stopped_though_its_file_stays(tmp_path: Path) -> None:
    system = System()
    system.starts[7] = "1"
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    write(tmp_path, 7)
    assert statuses(files) == [("s1", "working")]
    system.starts[7] = "2"  # another process got the number
    assert statuses(files) == [("s1", "stopped")]


def test_files_of_processes_that_ended_before_say_nothing(tmp_path: Path) -> None:
    for pid in range(1, 50):
        write(tmp_path, pid, session=f"s{pid}")
    assert statuses(RegistryFiles(str(tmp_path), WatchFaults(), System())) == []


def test_a_process_that_ended_is_looked_at_once(tmp_path: Path) -> None:
    looked: list[int] = []

    def look(pid: int) -> ProcessFacts:
        looked.append(pid)
        return ProcessFacts(is_there=False)

    files = RegistryFiles(str(tmp_path), WatchFaults(), look)
    for pid in range(1, 50):
        write(tmp_path, pid, session=f"s{pid}")
    for _ in range(3):
        files.read_all()
    assert sorted(looked) == list(range(1, 50))
    write(tmp_path, 7, "waiting", session="s7")  # written again: by somebody new
    files.read_all()
    assert looked[-1] == 7


def test_a_session_resumed_in_a_new_process_speaks_through_that_one(tmp_path: Path) -> None:
    system = System()
    system.starts[7] = "1"
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    write(tmp_path, 7)
    statuses(files)
    system.starts = {9: "1"}
    write(tmp_path, 9, "idle")
    assert statuses(files) == [("s1", "completed")]


def test_a_half_written_file_keeps_the_last_word(tmp_path: Path) -> None:
    system = System()
    system.starts[7] = "1"
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    path = write(tmp_path, 7)
    statuses(files)
    path.write_text('{"pid": 7, "sess')
    assert statuses(files) == []
    path.write_text("x" * 200_000)
    assert statuses(files) == []


def test_key_files_are_never_opened(tmp_path: Path) -> None:
    write(tmp_path, 7)
    key = tmp_path / "sessions" / "7.key"
    os.mkfifo(key)  # opening it for reading would wait
    faults = WatchFaults()
    RegistryFiles(str(tmp_path), faults, System()).read_all()
    assert faults.said == ()


def test_too_many_files_are_said_once(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    for number in range(MAX_FILES + 3):
        (tmp_path / "sessions" / f"{number + 1}.json").touch()
    faults = WatchFaults()
    files = RegistryFiles(str(tmp_path), faults, System())
    files.read_all()
    (tmp_path / "sessions" / f"{MAX_FILES + 9}.json").touch()
    files.read_all()
    assert [why for _, why in faults.said] == [f"only the latest {MAX_FILES} are read"]
    for number in range(20):
        (tmp_path / "sessions" / f"{number + 1}.json").unlink()
    files.read_all()
    assert faults.said == ()


def test_a_file_that_cannot_be_read_is_named_until_it_can_or_is_gone(tmp_path: Path) -> None:
    write(tmp_path, 1)
    odd = tmp_path / "sessions" / "2.json"
    odd.mkdir()
    faults = WatchFaults()
    files = RegistryFiles(str(tmp_path), faults, System())
    files.read_all()
    assert [where for where, _ in faults.said] == [str(odd)]
    odd.rmdir()
    files.read_all()
    assert faults.said == ()


def test_a_live_session_is_found_among_very_many_dead_ones(tmp_path: Path) -> None:
    system = System()
    system.starts[1] = "1"
    live = write(tmp_path, 1, session="alive")
    os.utime(live, (1, 1))  # the oldest of all
    for number in range(MAX_FILES + 10):
        write(tmp_path, number + 2, session=f"dead-{number}")
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    assert [statuses(files), statuses(files)] == [[], [("alive", "working")]]
    assert statuses(files) == []
    write(tmp_path, 1, "idle", session="alive")
    assert statuses(files) == [("alive", "completed")]


def test_very_many_files_take_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_files, "MAX_FILES", 10)
    monkeypatch.setattr(registry_files, "MAX_QUIET", 50)
    (tmp_path / "sessions").mkdir()
    for number in range(20_000):
        (tmp_path / "sessions" / f"{number + 1}.json").touch()
    files = RegistryFiles(str(tmp_path), WatchFaults(), System())
    tracemalloc.start()
    try:
        for _ in range(8):
            files.read_all()
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (kept < 100_000, most < 300_000) == (True, True), (kept, most)


def test_a_process_that_goes_on_with_another_session_ends_the_first(tmp_path: Path) -> None:
    system = System()
    system.starts[7] = "1"
    files = RegistryFiles(str(tmp_path), WatchFaults(), system)
    write(tmp_path, 7, "idle", session="s1")
    assert statuses(files) == [("s1", "completed")]
    write(tmp_path, 7, "busy", session="s2")  # as after /clear
    assert sorted(statuses(files)) == [("s1", "stopped"), ("s2", "working")]
    assert statuses(files) == []
    write(tmp_path, 7, "idle", session="s1")  # as after /resume
    assert sorted(statuses(files)) == [("s1", "completed"), ("s2", "stopped")]


def test_a_file_that_is_no_entry_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sessions").mkdir()
    broken = tmp_path / "sessions" / "7.json"
    broken.write_text("null")
    os.utime(broken, (1, 1))  # nobody is writing it now
    read: list[str] = []

    def read_head(path: str, limit: int) -> tuple[bytes, int]:
        read.append(path)
        return growing_file.read_head(path, limit)

    monkeypatch.setattr(registry_files, "read_head", read_head)
    files = RegistryFiles(str(tmp_path), WatchFaults(), System())
    for _ in range(3):
        files.read_all()
    assert read == [str(broken)]


def test_the_system_tells_a_process_and_its_start() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        facts = read_process(child.pid)
        assert facts.is_there
        assert facts.created_at_ms > 1_700_000_000_000
        if sys.platform.startswith("linux"):
            assert int(facts.proc_start) > 0
            assert read_pid_domain().startswith("pid:[")
    finally:
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        is_seen_dead = not read_process(child.pid).is_there  # before anybody has waited for it
        child.communicate()
    assert is_seen_dead
    assert not read_process(child.pid).is_there
