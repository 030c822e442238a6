"""File links: ids that cannot be guessed, as many as fit, and files as they are now."""

from itertools import count
from pathlib import Path

import pytest
from tests.systems import posix

from bascule.core.text.media_type import TEXT
from bascule.daemon.files import file_links as file_links_module
from bascule.daemon.files.file_links import FileContent, FileLink, FileLinks
from bascule.host.files.confined_path import ConfinedPath
from bascule.model.asks import Refuse
from bascule.model.ids import SessionId

ONE, TWO = SessionId("s_1"), SessionId("s_2")
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20_000


@pytest.fixture
def file_links() -> FileLinks:
    numbers = count()
    return FileLinks(new_secret=lambda: f"secret-{next(numbers)}")


def place(path: Path, data: bytes, *, session: SessionId = ONE, only_image: bool = False) -> FileLink:
    path.write_bytes(data)
    real = path.resolve()
    return FileLink(session, ConfinedPath(real.parent, (real.name,)), only_image)


def why(answer: object) -> str:
    assert isinstance(answer, Refuse), answer
    return answer.why


async def test_a_file_is_read_by_its_id(file_links: FileLinks, tmp_path: Path) -> None:
    file_id = file_links.put(place(tmp_path / "a.png", PNG))
    assert await file_links.read(file_id) == FileContent("a.png", len(PNG), "image/png", PNG)
    assert why(await file_links.read("secret-99")) == file_links_module.GONE
    assert why(await file_links.read("../a.png")) == file_links_module.GONE


async def test_looking_reads_only_how_it_begins(file_links: FileLinks, tmp_path: Path) -> None:
    seen = await file_links.look(place(tmp_path / "a.txt", b"x" * 100_000))
    assert isinstance(seen, FileContent)
    assert (seen.size, seen.media_type, len(seen.body)) == (100_000, TEXT, 8192)


def test_one_file_of_one_session_has_one_id(file_links: FileLinks, tmp_path: Path) -> None:
    mine, other = place(tmp_path / "a", b"a"), place(tmp_path / "a", b"a", session=TWO)
    assert [file_links.put(mine), file_links.put(mine), file_links.put(other)] == [
        "secret-0",
        "secret-0",
        "secret-1",
    ]
    assert file_links.find("secret-0") == mine


async def test_the_one_not_asked_for_longest_makes_room(
    file_links: FileLinks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_links_module, "MAX_LINKS", 2)
    a, b, c = (place(tmp_path / name, b"x") for name in "abc")
    for one in (a, b, a, c):
        file_links.put(one)
    assert [file_links.find(f"secret-{n}") for n in range(3)] == [a, None, c]
    assert file_links.put(b) == "secret-3"  # what has left gets another id


@posix
async def test_a_link_put_in_its_place_is_not_followed(file_links: FileLinks, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    file_id = file_links.put(place(tmp_path / "a.png", PNG))
    (tmp_path / "a.png").unlink()
    (tmp_path / "a.png").symlink_to(tmp_path / "secret")
    assert "cannot be opened" in why(await file_links.read(file_id))


@posix
async def test_a_folder_on_the_way_that_became_a_link_is_not_followed(
    file_links: FileLinks, tmp_path: Path
) -> None:
    for name in ("ws/in", "out"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "out" / "a").write_text("secret")
    (tmp_path / "ws" / "in" / "a").write_text("mine")
    file_id = file_links.put(FileLink(ONE, ConfinedPath((tmp_path / "ws").resolve(), ("in", "a")), False))
    (tmp_path / "ws" / "in" / "a").unlink()
    (tmp_path / "ws" / "in").rmdir()
    (tmp_path / "ws" / "in").symlink_to(tmp_path / "out")
    assert "cannot be opened" in why(await file_links.read(file_id))


async def test_what_a_block_calls_an_image_must_still_be_one(file_links: FileLinks, tmp_path: Path) -> None:
    file_id = file_links.put(place(tmp_path / "a.png", PNG, only_image=True))
    assert isinstance(await file_links.read(file_id), FileContent)
    (tmp_path / "a.png").write_text("<svg onload='1'/>")
    assert "is not an image" in why(await file_links.read(file_id))


async def test_what_is_too_large_is_not_read(
    file_links: FileLinks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_links_module, "MAX_SERVED", 10)
    file_id = file_links.put(place(tmp_path / "a", b"x" * 11))
    assert "11 bytes; 10 is the most" in why(await file_links.read(file_id))
    (tmp_path / "a").write_bytes(b"x" * 10)
    assert isinstance(await file_links.read(file_id), FileContent)


async def test_what_is_gone_or_no_file_says_so(file_links: FileLinks, tmp_path: Path) -> None:
    file_id = file_links.put(place(tmp_path / "a", b"x"))
    (tmp_path / "a").unlink()
    assert "no longer exists" in why(await file_links.read(file_id))
    (tmp_path / "a").mkdir()
    assert "not a regular file" in why(await file_links.read(file_id))
