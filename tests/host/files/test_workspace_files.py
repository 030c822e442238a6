"""Files of a workspace: all of them, one folder, one file in pieces, and a text in them; nothing outside."""

import os
import socket
import sys
from inspect import signature
from pathlib import Path

import pytest
from tests.systems import posix

from bascule.host.files import workspace_files
from bascule.host.files.workspace_files import Listing, list_dir, read_mtime_ms, read_text, scan, search_text
from bascule.model.asks import Refuse
from bascule.model.protocol.files import DirEntry, ListedDir, ReadFile, SearchedFiles, SearchHit


def write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    names = ["a.txt", "b/c.py", "b/d/e.py", ".git/HEAD", "b/.git/x", "b/node_modules/m/i.js", ".env"]
    write(root, **{name: f"text of {name}\n" for name in names})
    write(tmp_path, **{"outside/secret.txt": "secret\n"})
    return root


def why(answer: object) -> str:
    assert isinstance(answer, Refuse), answer
    return answer.why


# -- all files --


def test_every_file_but_those_of_git_and_node(workspace: Path) -> None:
    assert scan(workspace) == Listing((".env", "a.txt", "b/c.py", "b/d/e.py"))


def test_more_files_than_are_looked_at_lose_the_deepest(workspace: Path) -> None:
    assert scan(workspace, most=4).truncated is False
    assert scan(workspace, most=3) == Listing((".env", "a.txt", "b/c.py"), truncated=True)
    assert scan(workspace, patience_s=-1) == Listing((), truncated=True)


def test_at_most_twenty_thousand_files_are_listed(tmp_path: Path) -> None:
    assert signature(scan).parameters["most"].default == 20_000
    for number in range(21):
        (tmp_path / f"{number:02}").touch()
    assert scan(tmp_path, most=20) == Listing(tuple(f"{number:02}" for number in range(20)), truncated=True)
    assert scan(tmp_path, most=21) == Listing(tuple(f"{number:02}" for number in range(21)))


def test_a_workspace_that_is_gone_has_no_files(tmp_path: Path) -> None:
    assert scan(tmp_path / "gone") == Listing(())


@posix
def test_links_make_no_loop_and_lead_nowhere_else(workspace: Path) -> None:
    (workspace / "b" / "loop").symlink_to(workspace)
    (workspace / "out").symlink_to(workspace.parent / "outside")
    (workspace / "secret").symlink_to(workspace.parent / "outside" / "secret.txt")
    (workspace / "same").symlink_to("a.txt")
    (workspace / "broken").symlink_to("nowhere")
    os.mkfifo(workspace / "pipe")
    assert scan(workspace).files == (".env", "a.txt", "same", "b/c.py", "b/d/e.py")


@posix
def test_a_name_that_is_no_text_is_left_out(workspace: Path) -> None:
    (workspace / os.fsdecode(b"bad\xff.txt")).touch()
    assert scan(workspace).files == (".env", "a.txt", "b/c.py", "b/d/e.py")
    listing = list_dir(workspace, "")
    assert isinstance(listing, ListedDir)
    assert DirEntry(name="bad?.txt", kind="file", size=0) in listing.entries


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_may_not_be_read_is_passed_over(workspace: Path) -> None:
    (workspace / "b").chmod(0)
    try:
        assert scan(workspace).files == (".env", "a.txt")
    finally:
        (workspace / "b").chmod(0o700)


# -- one folder --


def test_a_folder_tells_folders_first(workspace: Path) -> None:
    assert list_dir(workspace, "./b/") == ListedDir(
        path="b",
        entries=(
            DirEntry(name=".git", kind="dir"),
            DirEntry(name="d", kind="dir"),
            DirEntry(name="node_modules", kind="dir"),
            DirEntry(name="c.py", kind="file", size=15),
        ),
    )


@posix
def test_what_a_link_leads_to_is_reported_only_inside(workspace: Path) -> None:
    folder = workspace / "links"
    folder.mkdir()
    (folder / "in").symlink_to("../a.txt")
    (folder / "dir").symlink_to("../b")
    (folder / "out").symlink_to(workspace.parent / "outside" / "secret.txt")
    (folder / "gone").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    listing = list_dir(workspace, "links")
    assert isinstance(listing, ListedDir)
    assert [(entry.name, entry.kind, entry.size) for entry in listing.entries] == [
        ("dir", "dir", 0),
        ("gone", "other", 0),
        ("in", "file", 14),
        ("out", "other", 0),
        ("pipe", "other", 0),
    ]
    through = list_dir(workspace, "links/dir/d")
    assert isinstance(through, ListedDir)
    assert [entry.name for entry in through.entries] == ["e.py"]


def test_a_large_folder_is_cut(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_files, "MAX_ENTRIES", 2)
    listing = list_dir(workspace, "b")
    assert isinstance(listing, ListedDir)
    assert (len(listing.entries), listing.truncated) == (2, True)
    whole = list_dir(workspace, "b/d")
    assert isinstance(whole, ListedDir)
    assert (len(whole.entries), whole.truncated) == (1, False)


def test_a_file_is_no_folder(workspace: Path) -> None:
    assert why(list_dir(workspace, "a.txt")) == "a.txt cannot be opened: it is not a folder."


# -- one file --


def test_a_file_is_read_in_pieces_that_end_between_characters(workspace: Path) -> None:
    text = "aä€𝄞" * 20 + "ß"
    write(workspace, **{"long.txt": text})
    size, offset, read = len(text.encode()), 0, ""
    while True:
        piece = read_text(workspace, "long.txt", offset, 7)
        assert isinstance(piece, ReadFile)
        assert (piece.size, piece.binary, "\ufffd" in piece.text) == (size, False, False)
        read += piece.text
        if piece.next_offset is None:
            break
        assert offset < piece.next_offset <= offset + 7
        offset = piece.next_offset
    assert read == text


def test_a_piece_has_its_ceilings(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workspace, **{"n.txt": "0123456789"})
    monkeypatch.setattr(workspace_files, "MAX_READ", 6)
    assert read_text(workspace, "n.txt", 0, 1_000) == ReadFile(
        path="n.txt", text="012345", size=10, next_offset=6
    )
    assert read_text(workspace, "n.txt", 6, -1) == ReadFile(path="n.txt", text="6789", size=10)
    assert read_text(workspace, "n.txt", 99, 10) == ReadFile(path="n.txt", text="", size=10)
    assert why(read_text(workspace, "n.txt", -1, 10)) == "A file begins at 0, not at -1."


def test_a_binary_file_says_so_and_a_broken_text_is_readable(workspace: Path) -> None:
    (workspace / "x.bin").write_bytes(b"ab\0cd")
    (workspace / "x.txt").write_bytes(b"ab\xffcd\xe2\x82")
    assert read_text(workspace, "x.bin", 0, 100) == ReadFile(path="x.bin", text="", size=5, binary=True)
    assert read_text(workspace, "x.txt", 0, 100) == ReadFile(path="x.txt", text="ab\ufffdcd\ufffd", size=7)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../outside/secret.txt", "leaves the workspace"),
        ("b/../../outside/secret.txt", "leaves the workspace"),
        ("b/../a.txt", "leaves the workspace"),
        ("/etc/passwd", "is an absolute path"),
        ("\\\\server\\share\\x", "is an absolute path"),
        ("//server/share/x", "is an absolute path"),
        ("\\x", "is an absolute path"),
        ("C:\\x", "is an absolute path"),
        ("c:x", "is an absolute path"),
        ("a.txt\0.png", "holds a NUL"),
        ("a/" * 3_000, "is too long"),
        ("x" * 300, "no such file"),
        ("nowhere", "no such file"),
        ("a.txt/b", "no such file"),
        ("b", "it is not a regular file"),
        ("", "it is not a regular file"),
    ],
)
def test_what_is_not_a_file_inside_is_refused(workspace: Path, path: str, reason: str) -> None:
    assert reason in why(read_text(workspace, path, 0, 100))


@posix
def test_links_are_followed_only_inside(workspace: Path) -> None:
    (workspace / "same").symlink_to("b/../a.txt")
    (workspace / "out").symlink_to(workspace.parent / "outside")
    (workspace / "up").symlink_to("..")
    (workspace / "secret").symlink_to(workspace.parent / "outside" / "secret.txt")
    (workspace / "loop").symlink_to("loop")
    beside = workspace.parent / "ws-other"  # begins with the same letters
    write(beside, x="x")
    (workspace / "beside").symlink_to(beside)
    assert read_text(workspace, "same", 0, 100) == ReadFile(path="same", text="text of a.txt\n", size=14)
    out = "leads out of the workspace. Only what lies inside it is shown."
    for path in ("secret", "out/secret.txt", "up/outside/secret.txt", "beside/x"):
        assert why(read_text(workspace, path, 0, 100)) == f"{path} {out}"
        assert why(list_dir(workspace, path)) == f"{path} {out}"
    assert "no such file" in why(read_text(workspace, "loop", 0, 100))


@posix
@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_what_is_no_regular_file_is_refused_without_waiting(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(workspace)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("odd") if kind == "socket" else os.mkfifo("odd")
        assert why(read_text(workspace, "odd", 0, 10)) == "odd cannot be opened: it is not a regular file."


@posix
def test_a_device_is_refused(tmp_path: Path) -> None:
    assert why(read_text(Path("/dev"), "zero", 0, 10)) == "zero cannot be opened: it is not a regular file."


def test_a_workspace_that_is_gone_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    assert why(read_text(gone, "a", 0, 1)) == f"The workspace {gone} no longer exists."
    assert why(list_dir(gone, "")) == f"The workspace {gone} no longer exists."


@posix
def test_a_linked_workspace_is_the_same(workspace: Path) -> None:
    link = workspace.parent / "link"
    link.symlink_to(workspace)
    assert scan(link) == scan(workspace)
    assert read_text(link, "a.txt", 0, 100) == read_text(workspace, "a.txt", 0, 100)


# -- search --


def search(workspace: Path, query: str, limit: int = 10) -> SearchedFiles | Refuse:
    return search_text(workspace, query, limit, scan(workspace))


def test_a_text_is_found_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, **{"a.txt": "one\r\nTwo\r\n", "b.txt": "two two\nthree"})
    hits = (SearchHit(path="a.txt", line=2, text="Two"), SearchHit(path="b.txt", line=1, text="two two"))
    assert search(tmp_path, "two") == SearchedFiles(hits=hits)
    assert search(tmp_path, "Two") == SearchedFiles(hits=hits[:1])
    assert search(tmp_path, "two", limit=1) == SearchedFiles(hits=hits[:1], truncated=True)
    assert search(tmp_path, "(two") == SearchedFiles(hits=())


def test_binary_and_large_files_are_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_files, "MAX_SEARCHED", 20)
    write(tmp_path, **{"a.bin": "word\0", "b.txt": "word" + " " * 17, "c.txt": "word" + " " * 16})
    assert search(tmp_path, "word") == SearchedFiles(
        hits=(SearchHit(path="c.txt", line=1, text="word" + " " * 16),)
    )


def test_hits_lines_and_time_have_ceilings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_files, "MAX_HITS_IN_FILE", 3)
    write(tmp_path, **{"a.txt": "x\n" * 4, "b.txt": "-" * 500 + "needle" + "-" * 500})
    found = search(tmp_path, "x")
    assert isinstance(found, SearchedFiles)
    assert ([hit.line for hit in found.hits], found.truncated) == ([1, 2, 3], True)
    long = search(tmp_path, "needle")
    assert isinstance(long, SearchedFiles)
    (hit,) = long.hits
    assert hit.text == "…" + "-" * 197 + "needle" + "-" * 197 + "…"
    late = search_text(tmp_path, "x", 10, scan(tmp_path), patience_s=-1)
    assert late == SearchedFiles(hits=(), truncated=True)


@posix
def test_a_link_is_searched_under_its_own_name_only(workspace: Path) -> None:
    (workspace / "same").symlink_to("a.txt")
    (workspace / "later").symlink_to("a.txt")
    listing = scan(workspace)
    assert "later" in listing.files
    (workspace / "later").unlink()
    (workspace / "later").symlink_to(workspace.parent / "outside" / "secret.txt")
    assert search_text(workspace, "secret", 10, listing) == SearchedFiles(hits=())
    found = search_text(workspace, "text of a.txt", 10, listing)
    assert found == SearchedFiles(hits=(SearchHit(path="a.txt", line=1, text="text of a.txt"),))


@pytest.mark.parametrize("query", ["", "a\nb", "x" * 1_001])
def test_a_search_is_for_a_part_of_a_line(tmp_path: Path, query: str) -> None:
    assert why(search(tmp_path, query)) == "A search looks for 1 to 1000 characters of one line."


def test_when_a_file_was_written(tmp_path: Path) -> None:
    write(tmp_path, a="")
    os.utime(tmp_path / "a", ns=(0, 1_700_000_000_123_456_789))
    assert read_mtime_ms(str(tmp_path / "a")) == 1_700_000_000_123
    assert read_mtime_ms(str(tmp_path / "b")) == 0
    assert read_mtime_ms("a\0b") == 0
