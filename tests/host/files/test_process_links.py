"""Paths that lead each process elsewhere."""

import sys
from pathlib import Path

import pytest

from bascule.host.files.process_links import find_process_link

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such links")


def test_what_is_followed_the_same_way_by_every_process(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    (tmp_path / "up").symlink_to("../" + tmp_path.name)
    (tmp_path / "round").symlink_to("round")
    for name in ("docs/a", "link/a", "up/up/link/a", "round/a", "none/a", ""):
        assert find_process_link(str(tmp_path / name)) == "", name
    assert find_process_link("/proc/cpuinfo") == ""


def test_what_each_process_has_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to("/proc/self/cwd")
    (tmp_path / "again").symlink_to("mine")
    assert find_process_link("/proc/self/cwd/a") == "/proc/self/cwd/a"
    assert find_process_link("/proc/1/root/etc") == "/proc/1/root/etc"
    assert find_process_link(str(tmp_path / "again" / "a")) == "/proc/self/cwd/a"
    assert find_process_link("/dev/fd/3").startswith("/proc/self/fd")
    (tmp_path / "twice").symlink_to("//proc/self/cwd")
    assert find_process_link("//proc/self/cwd/a") == "/proc/self/cwd/a"
    assert find_process_link(str(tmp_path / "twice" / "a")) == "/proc/self/cwd/a"
    assert find_process_link("/proc/4194305/cwd/a") == "/proc/4194305/cwd/a", "no such process yet"
