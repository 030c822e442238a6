"""Edits on the disk: all or nothing, bound to the yes, kept inside the workspace, taken back to the byte."""

import errno
import os
import socket
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.host.edits.edit_folder import EditFolder, mode, why
from tests.host.plans import look, plan_of, planned, sha256
from tests.systems import posix

from bascule.host.edits.apply import apply_plan, list_past
from bascule.host.edits.journal import UndoJournals
from bascule.model.edits import Applied, PlannedFile

# -- what a plan says is what is written --


def test_every_kind_of_change_is_written_and_taken_back_to_the_byte(disk: EditFolder) -> None:
    (disk.workspace / "src" / "c.sh").chmod(0o640)
    before = disk.look()
    plan = plan_of(
        disk.plan("a.txt", b"A\n"),
        disk.plan("new/deep/d.txt", b"d"),
        disk.plan("src/b.py", None),
        planned(disk.workspace, "src/moved.sh", b"c2", source="src/c.sh", mode_after=0o100755),
        planned(disk.workspace, "copied.txt", b"a copy", source="a.txt", copy=True),
    )
    applied = disk.apply(plan)
    assert isinstance(applied, Applied)
    assert applied.hash == plan.hash
    assert set(applied.files) == {
        *("a.txt", "new/deep/d.txt", "src/b.py", "src/moved.sh", "src/c.sh", "copied.txt")
    }
    after = disk.look()
    assert {path: data for path, (_, data) in after.items() if data} == {
        "a.txt": b"A\n",
        "copied.txt": b"a copy",
        "new/deep/d.txt": b"d",
        "src/moved.sh": b"c2",
    }
    if sys.platform != "win32":
        assert mode(disk.workspace / "src" / "moved.sh") == 0o750  # who may read may run

    undone = disk.undo(applied)
    assert disk.look() == before
    again = disk.undo(undone)
    assert disk.look() == after
    assert isinstance(again, Applied)
    assert [(past.journal, past.undone) for past in list_past(disk.journals)] == [
        (again.journal, False),
        (undone.journal if isinstance(undone, Applied) else "", True),
        (applied.journal, False),
    ]


def test_an_edit_that_is_written_is_not_refused_because_old_journals_cannot_be_looked_at(
    disk: EditFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_journals: UndoJournals) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded", "journals")

    monkeypatch.setattr(UndoJournals, "prune", fail)
    done = disk.apply(plan_of(disk.plan("a.txt", b"A\n")))
    assert isinstance(done, Applied), done
    assert (disk.workspace / "a.txt").read_bytes() == b"A\n"
    assert "Disk quota exceeded" in caplog.text
    assert isinstance(disk.undo(done), Applied)


def test_two_files_may_change_places(disk: EditFolder) -> None:
    plan = plan_of(
        disk.plan("a.txt", b"b\r\n", source="src/b.py"), disk.plan("src/b.py", b"a\n", source="a.txt")
    )
    before = disk.look()
    applied = disk.apply(plan)
    assert (disk.look()["a.txt"][1], disk.look()["src/b.py"][1]) == (b"b\r\n", b"a\n")
    disk.undo(applied)
    assert disk.look() == before


@posix
def test_mode_and_owner_are_kept_and_a_new_file_obeys_the_umask(disk: EditFolder) -> None:
    (disk.workspace / "a.txt").chmod(0o604)
    (disk.workspace / "src" / "c.sh").chmod(0o751)
    if os.geteuid() == 0:
        os.chown(disk.workspace / "a.txt", 12345, 23456)
    old = os.umask(0o027)
    try:
        applied = disk.apply(
            plan_of(
                disk.plan("a.txt", b"A"),
                planned(disk.workspace, "src/c.sh", b"c", mode_after=0o100644),
                disk.plan("plain.txt", b"p"),
                planned(disk.workspace, "run.sh", b"r", mode_after=0o100755),
            )
        )
    finally:
        os.umask(old)
    modes = {name: mode(disk.workspace / name) for name in ("a.txt", "src/c.sh", "plain.txt", "run.sh")}
    assert modes == {"a.txt": 0o604, "src/c.sh": 0o640, "plain.txt": 0o640, "run.sh": 0o750}
    owner = (disk.workspace / "a.txt").stat()
    if os.geteuid() == 0:
        assert (owner.st_uid, owner.st_gid) == (12345, 23456)
    disk.undo(applied)
    assert mode(disk.workspace / "src" / "c.sh") == 0o751  # only its mode had changed


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes are read on Linux")
def test_extended_attributes_are_kept(disk: EditFolder) -> None:
    try:
        os.setxattr(disk.workspace / "a.txt", "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has none")
    disk.apply(plan_of(disk.plan("a.txt", b"A")))
    assert os.getxattr(disk.workspace / "a.txt", "user.origin") == b"here"
    disk.undo(disk.apply(plan_of(disk.plan("a.txt", None))))
    assert os.getxattr(disk.workspace / "a.txt", "user.origin") == b"here"


def test_folders_made_go_again_unless_something_is_in_them(disk: EditFolder) -> None:
    applied = disk.apply(plan_of(disk.plan("x/y/1.txt", b"1"), disk.plan("x/z/2.txt", b"2")))
    (disk.workspace / "x" / "z" / "mine.txt").write_text("mine")
    assert isinstance(disk.undo(applied), Applied)
    assert [path for path in disk.look() if path.startswith("x")] == ["x", "x/z", "x/z/mine.txt"]


# -- only for the yes that names this plan --


@pytest.mark.parametrize("confirmed", ["", "yes", "0" * 64])
def test_a_yes_to_something_else_writes_nothing(disk: EditFolder, confirmed: str) -> None:
    before = disk.look()
    plan = plan_of(disk.plan("a.txt", b"A"))
    answer = apply_plan(disk.workspace, plan, confirmed=confirmed, journal_folder=disk.journals)
    assert why(answer) == (
        f"Edit refused: the yes was for {confirmed[:12] or 'nothing'}, and this plan is {plan.short}. "
        "Review it and answer again."
    )
    assert disk.look() == before
    assert not disk.journals.exists()


# -- what changed since the preview --


Spoil = Callable[[EditFolder], object]

CHANGED = "Edit refused: src/b.py changed since the preview. Ask for the diff again."


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda disk: (disk.workspace / "src/b.py").write_bytes(b"B\r\n"), CHANGED),
        (lambda disk: (disk.workspace / "src/b.py").unlink(), CHANGED),
        (
            lambda disk: (disk.workspace / "new.txt").write_bytes(b"mine"),
            "Edit refused: new.txt is already there, and the preview had it as new. Ask for the diff again.",
        ),
        (lambda disk: (disk.workspace / "src").rename(disk.workspace / "lib"), CHANGED),
    ],
)
def test_changed_since_the_preview_writes_nothing_at_all(disk: EditFolder, spoil: Spoil, said: str) -> None:
    plan = plan_of(disk.plan("a.txt", b"A"), disk.plan("src/b.py", b"B"), disk.plan("new.txt", b"n"))
    spoil(disk)
    before = disk.look()
    assert why(disk.apply(plan)) == said
    assert disk.look() == before
    assert list_past(disk.journals) == []


def test_the_source_of_a_copy_must_be_as_it_was(disk: EditFolder) -> None:
    plan = plan_of(planned(disk.workspace, "copy.txt", b"c", source="a.txt", copy=True))
    (disk.workspace / "a.txt").write_bytes(b"other")
    assert "a.txt changed since the preview" in why(disk.apply(plan))


# -- paths --


@pytest.mark.parametrize(
    "path",
    [
        *("../outside/secret.txt", "/etc/passwd", "src/../../outside/x", "C:/x", "C:x", "//host/share/x"),
        *("\\\\host\\share", "src\\b.py", "a\0b", "", ".", "./a.txt", "src//b.py", "src/", "~/x"),
        *(".git/config", "src/.git/hooks/post-commit", ".GIT/config", ".git./x", ".git /x", "git~1/config"),
        *(".g\u200cit/config", ".git", "NUL", "src/aux.txt", "COM1", "a.txt:stream", "a.txt.", "x" * 300),
    ],
)
def test_a_bad_path_is_refused_at_write_time_too(disk: EditFolder, path: str) -> None:
    before = look(disk.workspace.parent)
    bad = PlannedFile(path=path, kind="add", before_hash=None, after=b"x")
    assert why(disk.apply(plan_of(disk.plan("a.txt", b"A"), bad))).startswith("Edit refused: ")
    bad_source = PlannedFile(
        path="ok.txt", kind="rename", before_hash=None, after=b"x", source=path, source_hash=sha256(b"")
    )
    assert why(disk.apply(plan_of(bad_source))).startswith("Edit refused: ")
    seen = look(disk.workspace.parent)
    assert {path: one for path, one in seen.items() if not path.startswith("journals")} == before


def make_link(disk: EditFolder) -> None:
    (disk.workspace / "src").rename(disk.workspace / "lib")
    (disk.workspace / "src").symlink_to(disk.workspace / "lib")


def make_link_out(disk: EditFolder) -> None:
    (disk.workspace / "src").rename(disk.outside / "src")
    (disk.workspace / "src").symlink_to(disk.outside / "src")


def make_last_a_link(disk: EditFolder) -> None:
    (disk.workspace / "src/b.py").rename(disk.outside / "b.py")
    (disk.workspace / "src/b.py").symlink_to(disk.outside / "b.py")


def make_fifo(disk: EditFolder) -> None:
    (disk.workspace / "src/b.py").unlink()
    os.mkfifo(disk.workspace / "src/b.py")


def make_socket(disk: EditFolder) -> None:
    (disk.workspace / "src/b.py").unlink()
    here = Path.cwd()
    os.chdir(disk.workspace / "src")  # the name of a socket has little room
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind("b.py")
    finally:
        os.chdir(here)


def make_folder(disk: EditFolder) -> None:
    (disk.workspace / "src/b.py").unlink()
    (disk.workspace / "src/b.py").mkdir()


def make_hard_link(disk: EditFolder) -> None:
    os.link(disk.workspace / "src/b.py", disk.outside / "b.py")


def make_parent_a_file(disk: EditFolder) -> None:
    (disk.workspace / "src").rename(disk.workspace / "lib")
    (disk.workspace / "src").write_bytes(b"file")


@posix
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (make_link, "src/b.py is behind a symbolic link, and nothing is written through links."),
        (make_link_out, "src/b.py is behind a symbolic link, and nothing is written through links."),
        (make_last_a_link, "src/b.py is a symbolic link, and nothing is written through links."),
        (make_fifo, "src/b.py is a device, a pipe or a socket, not a regular file."),
        (make_socket, "src/b.py is a device, a pipe or a socket, not a regular file."),
        (make_folder, "src/b.py is a folder. Move it away first, or use another name."),
        (
            make_hard_link,
            "src/b.py has 2 names (hard links), and writing one would part it from the others.",
        ),
        (
            make_parent_a_file,
            "src/b.py needs src as a folder, and it is a file. Move src away first, or use another name.",
        ),
    ],
)
def test_what_is_no_plain_file_is_refused_with_the_reason(disk: EditFolder, spoil: Spoil, said: str) -> None:
    plan = plan_of(disk.plan("a.txt", b"A"), disk.plan("src/b.py", b"B"))
    spoil(disk)
    before = disk.look(), look(disk.outside)
    assert why(disk.apply(plan)) == f"Edit refused: {said}"
    assert (disk.look(), look(disk.outside)) == before


@posix
def test_a_new_file_where_a_dangling_link_lies_is_refused(disk: EditFolder) -> None:
    (disk.workspace / "new.txt").symlink_to(disk.outside / "new.txt")
    assert "new.txt is a symbolic link" in why(disk.apply(plan_of(disk.plan("new.txt", b"n"))))
    assert not (disk.outside / "new.txt").exists()


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ("Readme.md", "README.md"),
        ("Docs/x.md", "docs/y.md"),
        (unicodedata.normalize("NFD", "café.txt"), unicodedata.normalize("NFC", "café.txt")),
        ("straße.txt", "STRASSE.txt"),
    ],
)
def test_a_twin_of_what_is_there_is_refused(disk: EditFolder, there: str, wanted: str) -> None:
    (disk.workspace / there).parent.mkdir(exist_ok=True)
    (disk.workspace / there).write_bytes(b"x")
    new = PlannedFile(path=wanted, kind="add", before_hash=None, after=b"n")
    assert "only in case or in how its letters are encoded" in why(disk.apply(plan_of(new)))


def test_twins_within_a_plan_are_refused_in_any_part(disk: EditFolder) -> None:
    plan = plan_of(disk.plan("Lib/a.txt", b"1"), disk.plan("lib/b.txt", b"2"))
    assert "only in case" in why(disk.apply(plan))


@posix
def test_twins_that_are_both_there_can_be_edited(disk: EditFolder) -> None:
    (disk.workspace / "A.TXT").write_bytes(b"upper")
    if (disk.workspace / "a.txt").read_bytes() == b"upper":
        pytest.skip("this file system takes the two for one")
    assert isinstance(disk.apply(plan_of(disk.plan("A.TXT", b"U"), disk.plan("a.txt", b"L"))), Applied)


def test_a_plan_that_contradicts_itself_is_refused(disk: EditFolder) -> None:
    twice = plan_of(disk.plan("a.txt", b"1"), disk.plan("a.txt", b"2"))
    assert "is in the plan twice" in why(disk.apply(twice))
    nested = plan_of(disk.plan("a.txt", None), disk.plan("a.txt/inner", b"x"))
    assert "is a file in this plan, and a folder in" in why(disk.apply(nested))
    link = plan_of(PlannedFile(path="l", kind="add", before_hash=None, after=b"a.txt", mode_after=0o120000))
    assert "would become a symbolic link" in why(disk.apply(link))
    assert "holds no files" in why(disk.apply(plan_of()))
