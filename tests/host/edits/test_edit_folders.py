"""What an edit does to folders, and to what a file is beside its bytes."""

import os
import stat
import struct
import sys
from pathlib import Path

import pytest
from tests.host.plans import look, plan_of, planned

from bascule.core.diff.read.parse import parse_diff
from bascule.host.edits import flush
from bascule.host.edits.apply import apply_plan, undo
from bascule.host.edits.planning import plan_diff
from bascule.host.files.dir_handle import ACCESS_LIST, DirHandle
from bascule.model.edits import Applied, Diff, EditPlan, EditRefused

DEFAULT_LIST = "system.posix_acl_default"
GONE = "--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
SWAP = "diff --git a/{0} b/{1}\nsimilarity index 100%\nrename from {0}\nrename to {1}\n"


def written(workspace: Path, plan: EditPlan, journals: Path) -> Applied:
    done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=journals)
    assert isinstance(done, Applied), done
    return done


def plan_text(workspace: Path, text: str) -> EditPlan:
    diff = parse_diff(text)
    assert isinstance(diff, Diff), diff
    found = plan_diff(workspace, diff)
    assert not isinstance(found, EditRefused), found
    return found.plan


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    place = tmp_path.resolve() / "ws"
    place.mkdir()
    return place


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    return tmp_path / "journals"


def test_a_folder_goes_with_its_last_file_and_comes_back_with_its_mode(
    workspace: Path, journals: Path
) -> None:
    inner = workspace / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "x").write_bytes(b"a\n")
    inner.chmod(0o711)
    before = look(workspace)
    done = written(workspace, plan_text(workspace, GONE.format("a/b/x")), journals)
    assert look(workspace) == {}
    assert isinstance(undo(done.journal, journal_folder=journals), Applied)
    assert look(workspace) == before


def test_a_folder_that_holds_something_else_stays(workspace: Path, journals: Path) -> None:
    (workspace / "a").mkdir()
    for name in ("x", "y"):
        (workspace / "a" / name).write_bytes(b"a\n")
    written(workspace, plan_text(workspace, GONE.format("a/x")), journals)
    assert list(look(workspace)) == ["a", "a/y"]


@pytest.mark.parametrize(
    "text",
    [
        "--- /dev/null\n+++ b/{0}n\n@@ -0,0 +1 @@\n+n\n",
        SWAP.format("x", "{0}x"),
        SWAP.replace("rename", "copy").format("x", "{0}x"),
    ],
    ids=["added", "renamed", "copied"],
)
@pytest.mark.parametrize("folder", ["a/", "a/b/", "a/b/c/"])
def test_an_undo_leaves_a_folder_that_was_empty_before(
    workspace: Path, journals: Path, text: str, folder: str
) -> None:
    """And takes those below it that the edit made; to undo the undo is to have both again."""
    (workspace / "a" / "b").mkdir(parents=True)
    (workspace / "x").write_bytes(b"a\n")
    before = look(workspace)
    done = written(workspace, plan_text(workspace, text.format(folder)), journals)
    after = look(workspace)
    back = undo(done.journal, journal_folder=journals)
    assert isinstance(back, Applied)
    assert look(workspace) == before
    assert isinstance(undo(back.journal, journal_folder=journals), Applied)
    assert look(workspace) == after


def test_two_files_change_places_and_back(workspace: Path, journals: Path) -> None:
    (workspace / "one").write_bytes(b"1\n")
    (workspace / "two").write_bytes(b"2\n")
    (workspace / "one").chmod(0o755)
    before = look(workspace)
    done = written(
        workspace, plan_text(workspace, SWAP.format("one", "two") + SWAP.format("two", "one")), journals
    )
    after = look(workspace)
    assert (after["one"], after["two"]) == (before["two"], before["one"])
    assert isinstance(undo(done.journal, journal_folder=journals), Applied)
    assert look(workspace) == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such bits")
def test_a_copy_does_not_run_as_the_owner_of_its_source(workspace: Path, journals: Path) -> None:
    (workspace / "tool").write_bytes(b"a\n")
    (workspace / "tool").chmod(0o6755)
    plan = plan_of(planned(workspace, "copy", b"a\n", source="tool", copy=True))
    written(workspace, plan, journals)
    assert stat.S_IMODE((workspace / "copy").stat().st_mode) == 0o755
    assert stat.S_IMODE((workspace / "tool").stat().st_mode) == 0o6755


def access_list(*, user: int) -> bytes:
    """Owner, one user, group, mask and others, as the kernel keeps them."""
    entries = ((0x01, 7, -1), (0x02, 7, user), (0x04, 5, -1), (0x10, 7, -1), (0x20, 5, -1))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)


@pytest.mark.skipif(sys.platform != "linux", reason="access lists are kept elsewhere")
def test_the_folders_access_list_does_not_widen_a_file_without_one(workspace: Path, journals: Path) -> None:
    secret = workspace / "secret"
    secret.write_bytes(b"a\n")
    secret.chmod(0o660)
    try:
        os.setxattr(workspace, DEFAULT_LIST, access_list(user=12345))
    except OSError:
        pytest.skip("this file system has no access lists")
    written(workspace, plan_of(planned(workspace, "secret", b"b\n")), journals)
    assert ACCESS_LIST not in os.listxattr(secret)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o660


@pytest.mark.skipif(sys.platform != "linux", reason="access lists are kept elsewhere")
@pytest.mark.parametrize("is_listed", [True, False], ids=["its own list", "only one above it"])
def test_a_folder_comes_back_with_its_owner_and_access_lists(
    workspace: Path, journals: Path, *, is_listed: bool
) -> None:
    """And without one that it didn't have."""
    inner = workspace / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "x").write_bytes(b"a\n")
    try:
        os.setxattr(inner if is_listed else workspace / "a", DEFAULT_LIST, access_list(user=12345))
        if is_listed:
            os.setxattr(inner, ACCESS_LIST, access_list(user=54321))
    except OSError:
        pytest.skip("this file system has no access lists")
    if os.geteuid() == 0:
        os.chown(inner, 12345, 54321)
    before = [owned(folder) for folder in (inner, inner.parent)]
    done = written(workspace, plan_text(workspace, GONE.format("a/b/x")), journals)
    assert look(workspace) == {}
    assert isinstance(undo(done.journal, journal_folder=journals), Applied)
    assert [owned(folder) for folder in (inner, inner.parent)] == before


def owned(folder: Path) -> tuple[int, int, int, dict[str, bytes]]:
    state = folder.stat()
    lists = {name: os.getxattr(folder, name) for name in os.listxattr(folder)}
    return state.st_mode, state.st_uid, state.st_gid, lists


MODES = (0o644, 0o640, 0o600, 0o666, 0o755, 0o444, 0o4755, 0o660)


@pytest.mark.skipif(sys.platform == "win32", reason="modes and owners are POSIX's")
@pytest.mark.parametrize("gives_list", [False, True])
def test_each_of_many_files_in_a_folder_keeps_its_own_mode_and_owner(
    workspace: Path, journals: Path, *, gives_list: bool
) -> None:
    """From the second one on they are made with the mode that they are to have."""
    folder = workspace / "many"
    folder.mkdir()
    files = [folder / f"{number}-{mode:o}" for number, mode in enumerate(MODES * 2)]
    for path, mode in zip(files, MODES * 2, strict=True):
        path.write_bytes(b"a\n")
        if os.geteuid() == 0 and "7-" in path.name:
            os.chown(path, 12345, 12346)
        path.chmod(mode)
    if gives_list:
        try:
            os.setxattr(folder, DEFAULT_LIST, access_list(user=12345))
        except OSError:
            pytest.skip("this file system has no access lists")
    before = [traits_of(path) for path in files]
    plans = [planned(workspace, f"many/{path.name}", b"b\n") for path in files]
    done = written(workspace, plan_of(*plans), journals)
    assert {path.read_bytes() for path in files} == {b"b\n"}
    assert [traits_of(path) for path in files] == before
    assert isinstance(undo(done.journal, journal_folder=journals), Applied)
    assert [traits_of(path) for path in files] == before


def traits_of(path: Path) -> tuple[int, int, int, list[str]]:
    state = path.stat()
    return state.st_mode, state.st_uid, state.st_gid, os.listxattr(path) if sys.platform == "linux" else []


def test_a_folder_that_cannot_be_opened_is_refused_in_a_sentence(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "a").mkdir()

    def enter(_self: DirHandle, name: str) -> DirHandle:
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr(DirHandle, "enter", enter)
    diff = parse_diff(GONE.format("a/x"))
    assert isinstance(diff, Diff)
    assert plan_diff(workspace, diff) == EditRefused(
        why="Edit refused: a/x: Permission denied. Check that its folder can be opened.",
        reason="a/x: Permission denied. Check that its folder can be opened.",
        path="a/x",
    )


# -- on the way to the disk --


def many(workspace: Path) -> EditPlan:
    for number in range(40):
        (workspace / f"d{number % 35}").mkdir(exist_ok=True)
        (workspace / f"d{number % 35}" / f"{number}").write_bytes(b"a\n")
    return plan_of(*(planned(workspace, f"d{number % 35}/{number}", b"b\n") for number in range(40)))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such call")
def test_many_files_are_flushed_before_the_first_is_renamed_and_their_folders_after_the_last(
    workspace: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[bytes]] = []

    def sync(_fd: int) -> int:
        seen.append({path.read_bytes() for path in workspace.glob("d*/[0-9]*")})
        return 0

    plan = many(workspace)
    monkeypatch.setattr(flush, "SYNCFS", sync)
    written(workspace, plan, journals)
    assert seen == [{b"a\n"}, {b"b\n"}]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such call")
def test_a_disk_that_fails_to_flush_changes_nothing(
    workspace: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = many(workspace)
    before = look(workspace)
    monkeypatch.setattr(flush, "SYNCFS", lambda _fd: -1)
    refused = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=journals)
    assert isinstance(refused, EditRefused)
    assert look(workspace) == before


def test_without_such_a_call_each_file_is_flushed(
    workspace: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = many(workspace)
    flushed: list[int] = []
    monkeypatch.setattr(flush, "SYNCFS", None)
    monkeypatch.setattr(os, "fsync", flushed.append)
    written(workspace, plan, journals)
    assert len(flushed) > 40 + 35
    assert {path.read_bytes() for path in workspace.glob("d*/*")} == {b"b\n"}
