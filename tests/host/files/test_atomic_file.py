"""A file that is replaced: whole, for its owner, or as it was."""

import stat
import sys
from pathlib import Path

import pytest

from bascule.host.files.atomic_file import replace_file


@pytest.mark.parametrize("durable", [True, False])
def test_it_takes_the_place_of_the_old_one(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"a longer one than the new")
    replace_file(path, b"new", durable=durable)
    assert ([one.name for one in tmp_path.iterdir()], path.read_bytes()) == (["a.json"], b"new")


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not kept there")
def test_it_is_for_its_owner_unless_a_mode_is_named(tmp_path: Path) -> None:
    for name, mode in (("own", 0o600), ("open", 0o644)):
        replace_file(tmp_path / name, b"", mode=mode)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode


def test_what_speaks_against_it_leaves_all_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def check() -> None:
        raise ValueError("it was changed meanwhile")

    with pytest.raises(ValueError, match="meanwhile"):
        replace_file(path, b"new", check=check)
    assert ([one.name for one in tmp_path.iterdir()], path.read_bytes()) == (["a"], b"old")
