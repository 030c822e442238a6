"""Files that came over the wire: kept for their owner alone, under ceilings, and not for ever."""

import os
import stat
import sys
from pathlib import Path

import pytest
from tests.systems import posix

from bascule.host.files import attachments
from bascule.host.files.attachments import KEPT_S, Attachments, clean_name
from bascule.host.files.confined_path import ConfinedPath
from bascule.model.asks import Refuse


@pytest.fixture
def kept(tmp_path: Path) -> Attachments:
    return Attachments(tmp_path / "attachments")


def keep(kept: Attachments, name: str = "a.png", data: bytes = b"data", session: str = "s_1") -> Path:
    place = kept.keep(session, name, data)
    assert isinstance(place, ConfinedPath), place
    return place.real


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("picture.png", "picture.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ann\\shot.png", "shot.png"),
        ("..", "file"),
        (".bashrc", "bashrc"),
        ("", "file"),
        ("a\0b\n.png", "a_b_.png"),
        ("inv\u202egnp.exe", "inv_gnp.exe"),
        ("nul.png", "file_nul.png"),
        ("über größe.jpg", "über größe.jpg"),
        ("trailing. . ", "trailing"),
        ("\ud800.png", "_.png"),
    ],
)
def test_a_name_becomes_a_plain_one(name: str, clean: str) -> None:
    assert clean_name(name) == clean


def test_a_long_name_keeps_its_ending() -> None:
    clean = clean_name("x" * 500 + ".png")
    assert clean.endswith("x.png")
    assert len(clean) <= attachments.MAX_NAME
    assert len(clean_name("x" * 500 + "." + "y" * 500)) <= attachments.MAX_NAME
    assert len(clean_name("z" * 500)) <= attachments.MAX_NAME


def test_what_is_kept_is_found_again_by_its_session_alone(kept: Attachments) -> None:
    path = keep(kept)
    assert path.read_bytes() == b"data"
    assert path.name.endswith("-a.png")
    assert kept.find("s_1", str(path)) == ConfinedPath(path.parent, (path.name,))
    assert isinstance(kept.find("s_2", str(path)), Refuse)
    assert isinstance(kept.find("s_1", "a.png"), Refuse)
    assert isinstance(kept.find("s_1", str(path.with_name("other"))), Refuse)


def test_two_of_one_name_are_two_files(kept: Attachments) -> None:
    assert keep(kept, data=b"one") != keep(kept, data=b"two")


@posix
def test_only_the_owner_can_read_them(kept: Attachments) -> None:
    path = keep(kept)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@posix
def test_a_link_among_them_is_not_one_of_them(kept: Attachments, tmp_path: Path) -> None:
    folder = keep(kept).parent
    (tmp_path / "secret").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    assert isinstance(kept.find("s_1", str(folder / "link")), Refuse)


def test_files_and_sessions_have_ceilings(kept: Attachments, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "MAX_FILE", 10)
    monkeypatch.setattr(attachments, "MAX_SESSION", 25)
    large = kept.keep("s_1", "a.png", b"x" * 11)
    assert isinstance(large, Refuse)
    assert "11 bytes; 10 is the most" in large.why
    keep(kept, data=b"x" * 10)
    keep(kept, data=b"x" * 10)
    full = kept.keep("s_1", "a.png", b"x" * 6)
    assert isinstance(full, Refuse)
    assert "at most" in full.why
    keep(kept, data=b"x" * 5)
    keep(kept, data=b"x" * 10, session="s_2")
    monkeypatch.setattr(attachments, "MAX_FILES", 1)
    assert isinstance(kept.keep("s_2", "a.png", b"x"), Refuse)
    assert isinstance(kept.keep("s_3", "a.png", b""), Refuse)


def test_what_is_old_or_nobodys_is_swept_away(kept: Attachments) -> None:
    gone, old, young = keep(kept, session="s_gone"), keep(kept), keep(kept)
    now_s = young.stat().st_mtime
    os.utime(old, (0, now_s - KEPT_S - 10))
    assert kept.sweep({"s_1"}, now_s=now_s) == 2
    assert [path.exists() for path in (gone, gone.parent, old, young)] == [False, False, False, True]
    assert kept.sweep({"s_1"}, now_s=now_s) == 0


def test_sweeping_nothing_is_no_fault(tmp_path: Path) -> None:
    assert Attachments(tmp_path / "never made").sweep(set()) == 0


@posix
@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)
    refused = Attachments(tmp_path / "shut").keep("s_1", "a.png", b"data")
    assert isinstance(refused, Refuse)
    assert "cannot be kept" in refused.why


def test_a_file_in_the_folders_place_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert isinstance(Attachments(tmp_path / "file").keep("s_1", "a.png", b"data"), Refuse)


def test_nothing_is_kept_when_the_disk_is_nearly_full(
    kept: Attachments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "MIN_FREE", 2**60)
    refused = kept.keep("s_1", "a.txt", b"x")
    assert isinstance(refused, Refuse)
    assert "of the disk are free" in refused.why
