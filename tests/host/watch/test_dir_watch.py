"""Folders watched: with inotify, without any left, and when a folder goes away."""

import errno
import sys
from pathlib import Path

import pytest

from bascule.host.watch.dir_watch import DirWatch
from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.inotify import ChangedName, Inotify

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's")


class NoneLeft(Inotify):
    """As when fs.inotify.max_user_watches is used up."""

    def add(self, folder: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def refuse() -> Inotify:
    raise OSError(errno.EMFILE, "Too many open files")


async def next_names(watch: DirWatch) -> set[str]:
    return {changed.name for changed in await watch.next()}


@linux_only
async def test_a_changed_name_is_reported(tmp_path: Path) -> None:
    faults = WatchFaults()
    watch = DirWatch(faults)
    assert watch.add(str(tmp_path))
    (tmp_path / "a").write_text("x")
    assert await next_names(watch) == {"a"}
    (tmp_path / "sub").mkdir()
    assert await next_names(watch) == {"sub"}
    assert faults.said == ()
    watch.close()


@linux_only
async def test_a_folder_that_goes_away_is_reported_and_can_be_added_again(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    folder.mkdir()
    watch = DirWatch(WatchFaults())
    watch.add(str(folder))
    folder.rmdir()
    seen: set[ChangedName] = set()
    while ChangedName(str(folder), "") not in seen:
        seen |= set(await watch.next())
    assert not watch.add(str(folder))
    folder.mkdir()
    assert watch.add(str(folder))
    (folder / "a").touch()
    assert "a" in await next_names(watch)
    watch.close()


@pytest.mark.parametrize("make", [NoneLeft, refuse])
@linux_only
async def test_without_inotify_folders_are_looked_at(tmp_path: Path, make: type[Inotify]) -> None:
    faults = WatchFaults()
    watch = DirWatch(faults, poll_s=0.01, make=make)
    (tmp_path / "a").write_text("x")
    assert watch.add(str(tmp_path))
    (tmp_path / "a").write_text("longer")
    assert await next_names(watch) == {"a"}
    (tmp_path / "b").touch()
    assert await next_names(watch) == {"b"}
    (tmp_path / "a").unlink()
    assert await next_names(watch) == {"a"}
    ((where, why),) = faults.said
    assert where == "some folders"
    limit = "max_user_watches" if make is NoneLeft else "max_user_instances"
    instead = "they are looked at every 0.01 s instead"
    assert why == f"{instead}, because fs.inotify.{limit} is reached; a higher limit helps"
    watch.close()


@linux_only
async def test_a_fault_of_inotify_that_no_limit_explains_is_named(tmp_path: Path) -> None:
    def fail() -> Inotify:
        raise OSError(errno.ENOSYS, "this system has no inotify")

    faults = WatchFaults()
    watch = DirWatch(faults, make=fail)
    assert faults.said == (
        (
            "some folders",
            "they are looked at every 1 s instead, because of inotify: this system has no inotify",
        ),
    )
    watch.close()


async def test_a_folder_that_is_missing_is_no_fault(tmp_path: Path) -> None:
    faults = WatchFaults()
    watch = DirWatch(faults)
    assert not watch.add(str(tmp_path / "gone"))
    assert faults.said == ()
    watch.close()


@pytest.mark.parametrize("is_there", [True, False])
async def test_the_fault_of_a_folder_is_over_once_it_can_be_watched_or_is_gone(
    tmp_path: Path, is_there: bool
) -> None:
    faults = WatchFaults()
    watch = DirWatch(faults)
    folder = tmp_path / "sessions"
    folder.symlink_to("sessions")  # leads to itself
    assert not watch.add(str(folder))
    assert [where for where, _ in faults.said] == [str(folder)]
    folder.unlink()
    if is_there:
        folder.mkdir()
    assert watch.add(str(folder)) is is_there
    assert faults.said == ()
    watch.close()


async def test_what_others_said_of_a_folder_stays(tmp_path: Path) -> None:
    faults = WatchFaults()
    watch = DirWatch(faults)
    faults.report(str(tmp_path), "Permission denied")
    assert watch.add(str(tmp_path))
    assert [where for where, _ in faults.said] == [str(tmp_path)]
    watch.close()


def test_each_fault_is_said_once_until_it_is_over() -> None:
    faults = WatchFaults()
    for _ in range(3):
        faults.report("/a", "Permission denied")
    faults.report("/b", "Permission denied")
    assert [where for where, _ in faults.said] == ["/a", "/b"]
    faults.forget("/a")
    assert [where for where, _ in faults.said] == ["/b"]
