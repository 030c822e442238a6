"""Claude's registry when its files lie: other pids, links, writes that leave no trace, thousands of dead."""

import os
from pathlib import Path

import pytest
from tests.host.watch.test_registry_files import System, statuses, write

from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.registry_files import RegistryFiles


@pytest.fixture
def system() -> System:
    one = System()
    one.starts = {7: "1", 8: "1"}
    return one


@pytest.fixture
def files(tmp_path: Path, system: System) -> RegistryFiles:
    (tmp_path / "sessions").mkdir()
    return RegistryFiles(str(tmp_path), WatchFaults(), system)


def test_a_file_that_names_another_process_says_nothing(tmp_path: Path, files: RegistryFiles) -> None:
    write(tmp_path, 7).rename(tmp_path / "sessions" / "8.json")
    assert statuses(files) == []


def test_links_are_not_followed(tmp_path: Path, files: RegistryFiles) -> None:
    real = write(tmp_path, 7).rename(tmp_path / "elsewhere.json")
    (tmp_path / "sessions" / "7.json").symlink_to(real)
    assert statuses(files) == []


def test_a_second_write_within_one_tick_of_the_clock_is_seen(tmp_path: Path, files: RegistryFiles) -> None:
    path = write(tmp_path, 7, "busy")
    before = path.stat()
    assert statuses(files) == [("s1", "working")]
    write(tmp_path, 7, "idle")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert statuses(files) == [("s1", "completed")]


def test_a_clock_that_went_back_hides_no_write(tmp_path: Path, files: RegistryFiles) -> None:
    for hours, status, expected in (
        (5, "busy", "working"),
        (-5, "idle", "completed"),
        (-9, "busy", "working"),
    ):
        path = write(tmp_path, 7, status)
        at_ns = path.stat().st_mtime_ns + hours * 3600 * 10**9
        os.utime(path, ns=(at_ns, at_ns))
        assert statuses(files) == [("s1", expected)]


def test_between_changes_only_processes_are_looked_at(
    tmp_path: Path, files: RegistryFiles, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 7)
    for pid in range(100, 150):
        write(tmp_path, pid, session=f"dead-{pid}")
    assert statuses(files) == [("s1", "working")]

    def refuse(_path: str) -> None:
        raise AssertionError("the folder was listed again")

    monkeypatch.setattr(os, "scandir", refuse)
    assert files.look_at_processes() == []
    del system.starts[7]
    assert [(one.session, one.status) for one in files.look_at_processes()] == [("s1", "stopped")]


def test_what_could_not_be_read_is_tried_again_without_a_change(
    tmp_path: Path, files: RegistryFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 7)
    with monkeypatch.context() as broken:
        broken.setattr(RegistryFiles, "_read", lambda _files, _name: None)
        assert statuses(files) == []
    assert [(one.session, one.status) for one in files.look_at_processes()] == [("s1", "working")]
