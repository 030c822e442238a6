"""Edits on the disk: all or nothing, bound to the yes, kept inside the workspace, taken back to the byte."""

import errno
import os
import socket
import stat
import sys
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.host.plans import Seen, look, plan_of, planned, sha256

from bascule.host.edits import rewrite
from bascule.host.edits.apply import FinishedEdit, apply_plan, list_past, recover, undo
from bascule.host.edits.journal import UndoJournals
from bascule.model.edits import Applied, EditPlan, EditRefused, PlannedFile

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and devices are POSIX's")


class Bench:
    """A workspace, what lies outside it, and the journals."""

    def __init__(self, root: Path) -> None:
        self.workspace = root / "ws"
        self.outside = root / "outside"
        self.journals = root / "journals"
        for folder in (self.workspace / "src", self.outside):
            folder.mkdir(parents=True)
        for path, data in {"a.txt": b"a\n", "src/b.py": b"b\r\n", "src/c.sh": b"c"}.items():
            (self.workspace / path).write_bytes(data)
        (self.outside / "secret.txt").write_bytes(b"secret")

    def apply(self, plan: EditPlan) -> Applied | EditRefused:
        return apply_plan(self.workspace, plan, confirmed=plan.hash, journal_folder=self.journals)

    def plan(self, path: str, after: bytes | None, *, source: str | None = None) -> PlannedFile:
        return planned(self.workspace, path, after, source=source)

    def undo(self, applied: Applied | EditRefused) -> Applied | EditRefused:
        assert isinstance(applied, Applied), applied
        return undo(applied.journal, journal_folder=self.journals)

    def look(self) -> Seen:
        return look(self.workspace)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def why(answer: Applied | EditRefused) -> str:
    assert isinstance(answer, EditRefused), answer
    return answer.why


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- what a plan says is what is written --


def test_every_kind_of_change_is_written_and_taken_back_to_the_byte(bench: Bench) -> None:
    (bench.workspace / "src" / "c.sh").chmod(0o640)
    before = bench.look()
    plan = plan_of(
        bench.plan("a.txt", b"A\n"),
        bench.plan("new/deep/d.txt", b"d"),
        bench.plan("src/b.py", None),
        planned(bench.workspace, "src/moved.sh", b"c2", source="src/c.sh", mode_after=0o100755),
        planned(bench.workspace, "copied.txt", b"a copy", source="a.txt", copy=True),
    )
    applied = bench.apply(plan)
    assert isinstance(applied, Applied)
    assert applied.hash == plan.hash
    assert set(applied.files) == {
        *("a.txt", "new/deep/d.txt", "src/b.py", "src/moved.sh", "src/c.sh", "copied.txt")
    }
    after = bench.look()
    assert {path: data for path, (_, data) in after.items() if data} == {
        "a.txt": b"A\n",
        "copied.txt": b"a copy",
        "new/deep/d.txt": b"d",
        "src/moved.sh": b"c2",
    }
    if sys.platform != "win32":
        assert mode(bench.workspace / "src" / "moved.sh") == 0o750  # who may read may run

    undone = bench.undo(applied)
    assert bench.look() == before
    again = bench.undo(undone)
    assert bench.look() == after
    assert isinstance(again, Applied)
    assert [(past.journal, past.undone) for past in list_past(bench.journals)] == [
        (again.journal, False),
        (undone.journal if isinstance(undone, Applied) else "", True),
        (applied.journal, False),
    ]


def test_an_edit_that_is_written_is_not_refused_because_old_journals_cannot_be_looked_at(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_journals: UndoJournals) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded", "journals")

    monkeypatch.setattr(UndoJournals, "prune", fail)
    done = bench.apply(plan_of(bench.plan("a.txt", b"A\n")))
    assert isinstance(done, Applied), done
    assert (bench.workspace / "a.txt").read_bytes() == b"A\n"
    assert "Disk quota exceeded" in caplog.text
    assert isinstance(bench.undo(done), Applied)


def test_two_files_may_change_places(bench: Bench) -> None:
    plan = plan_of(
        bench.plan("a.txt", b"b\r\n", source="src/b.py"), bench.plan("src/b.py", b"a\n", source="a.txt")
    )
    before = bench.look()
    applied = bench.apply(plan)
    assert (bench.look()["a.txt"][1], bench.look()["src/b.py"][1]) == (b"b\r\n", b"a\n")
    bench.undo(applied)
    assert bench.look() == before


@posix
def test_mode_and_owner_are_kept_and_a_new_file_obeys_the_umask(bench: Bench) -> None:
    (bench.workspace / "a.txt").chmod(0o604)
    (bench.workspace / "src" / "c.sh").chmod(0o751)
    if os.geteuid() == 0:
        os.chown(bench.workspace / "a.txt", 12345, 23456)
    old = os.umask(0o027)
    try:
        applied = bench.apply(
            plan_of(
                bench.plan("a.txt", b"A"),
                planned(bench.workspace, "src/c.sh", b"c", mode_after=0o100644),
                bench.plan("plain.txt", b"p"),
                planned(bench.workspace, "run.sh", b"r", mode_after=0o100755),
            )
        )
    finally:
        os.umask(old)
    modes = {name: mode(bench.workspace / name) for name in ("a.txt", "src/c.sh", "plain.txt", "run.sh")}
    assert modes == {"a.txt": 0o604, "src/c.sh": 0o640, "plain.txt": 0o640, "run.sh": 0o750}
    owner = (bench.workspace / "a.txt").stat()
    if os.geteuid() == 0:
        assert (owner.st_uid, owner.st_gid) == (12345, 23456)
    bench.undo(applied)
    assert mode(bench.workspace / "src" / "c.sh") == 0o751  # only its mode had changed


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes are read on Linux")
def test_extended_attributes_are_kept(bench: Bench) -> None:
    try:
        os.setxattr(bench.workspace / "a.txt", "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has none")
    bench.apply(plan_of(bench.plan("a.txt", b"A")))
    assert os.getxattr(bench.workspace / "a.txt", "user.origin") == b"here"
    bench.undo(bench.apply(plan_of(bench.plan("a.txt", None))))
    assert os.getxattr(bench.workspace / "a.txt", "user.origin") == b"here"


def test_folders_made_go_again_unless_something_is_in_them(bench: Bench) -> None:
    applied = bench.apply(plan_of(bench.plan("x/y/1.txt", b"1"), bench.plan("x/z/2.txt", b"2")))
    (bench.workspace / "x" / "z" / "mine.txt").write_text("mine")
    assert isinstance(bench.undo(applied), Applied)
    assert [path for path in bench.look() if path.startswith("x")] == ["x", "x/z", "x/z/mine.txt"]


# -- only for the yes that names this plan --


@pytest.mark.parametrize("confirmed", ["", "yes", "0" * 64])
def test_a_yes_to_something_else_writes_nothing(bench: Bench, confirmed: str) -> None:
    before = bench.look()
    plan = plan_of(bench.plan("a.txt", b"A"))
    answer = apply_plan(bench.workspace, plan, confirmed=confirmed, journal_folder=bench.journals)
    assert why(answer) == (
        f"Edit refused: the yes was for {confirmed[:12] or 'nothing'}, and this plan is {plan.short}. "
        "Review it and answer again."
    )
    assert bench.look() == before
    assert not bench.journals.exists()


# -- what changed since the preview --


Spoil = Callable[[Bench], object]

CHANGED = "Edit refused: src/b.py changed since the preview. Ask for the diff again."


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda bench: (bench.workspace / "src/b.py").write_bytes(b"B\r\n"), CHANGED),
        (lambda bench: (bench.workspace / "src/b.py").unlink(), CHANGED),
        (
            lambda bench: (bench.workspace / "new.txt").write_bytes(b"mine"),
            "Edit refused: new.txt is already there, and the preview had it as new. Ask for the diff again.",
        ),
        (lambda bench: (bench.workspace / "src").rename(bench.workspace / "lib"), CHANGED),
    ],
)
def test_changed_since_the_preview_writes_nothing_at_all(bench: Bench, spoil: Spoil, said: str) -> None:
    plan = plan_of(bench.plan("a.txt", b"A"), bench.plan("src/b.py", b"B"), bench.plan("new.txt", b"n"))
    spoil(bench)
    before = bench.look()
    assert why(bench.apply(plan)) == said
    assert bench.look() == before
    assert list_past(bench.journals) == []


def test_the_source_of_a_copy_must_be_as_it_was(bench: Bench) -> None:
    plan = plan_of(planned(bench.workspace, "copy.txt", b"c", source="a.txt", copy=True))
    (bench.workspace / "a.txt").write_bytes(b"other")
    assert "a.txt changed since the preview" in why(bench.apply(plan))


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
def test_a_bad_path_is_refused_at_write_time_too(bench: Bench, path: str) -> None:
    before = look(bench.workspace.parent)
    bad = PlannedFile(path=path, kind="add", before_hash=None, after=b"x")
    assert why(bench.apply(plan_of(bench.plan("a.txt", b"A"), bad))).startswith("Edit refused: ")
    bad_source = PlannedFile(
        path="ok.txt", kind="rename", before_hash=None, after=b"x", source=path, source_hash=sha256(b"")
    )
    assert why(bench.apply(plan_of(bad_source))).startswith("Edit refused: ")
    seen = look(bench.workspace.parent)
    assert {path: one for path, one in seen.items() if not path.startswith("journals")} == before


def make_link(bench: Bench) -> None:
    (bench.workspace / "src").rename(bench.workspace / "lib")
    (bench.workspace / "src").symlink_to(bench.workspace / "lib")


def make_link_out(bench: Bench) -> None:
    (bench.workspace / "src").rename(bench.outside / "src")
    (bench.workspace / "src").symlink_to(bench.outside / "src")


def make_last_a_link(bench: Bench) -> None:
    (bench.workspace / "src/b.py").rename(bench.outside / "b.py")
    (bench.workspace / "src/b.py").symlink_to(bench.outside / "b.py")


def make_fifo(bench: Bench) -> None:
    (bench.workspace / "src/b.py").unlink()
    os.mkfifo(bench.workspace / "src/b.py")


def make_socket(bench: Bench) -> None:
    (bench.workspace / "src/b.py").unlink()
    here = Path.cwd()
    os.chdir(bench.workspace / "src")  # the name of a socket has little room
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind("b.py")
    finally:
        os.chdir(here)


def make_folder(bench: Bench) -> None:
    (bench.workspace / "src/b.py").unlink()
    (bench.workspace / "src/b.py").mkdir()


def make_hard_link(bench: Bench) -> None:
    os.link(bench.workspace / "src/b.py", bench.outside / "b.py")


def make_parent_a_file(bench: Bench) -> None:
    (bench.workspace / "src").rename(bench.workspace / "lib")
    (bench.workspace / "src").write_bytes(b"file")


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
def test_what_is_no_plain_file_is_refused_with_the_reason(bench: Bench, spoil: Spoil, said: str) -> None:
    plan = plan_of(bench.plan("a.txt", b"A"), bench.plan("src/b.py", b"B"))
    spoil(bench)
    before = bench.look(), look(bench.outside)
    assert why(bench.apply(plan)) == f"Edit refused: {said}"
    assert (bench.look(), look(bench.outside)) == before


@posix
def test_a_new_file_where_a_dangling_link_lies_is_refused(bench: Bench) -> None:
    (bench.workspace / "new.txt").symlink_to(bench.outside / "new.txt")
    assert "new.txt is a symbolic link" in why(bench.apply(plan_of(bench.plan("new.txt", b"n"))))
    assert not (bench.outside / "new.txt").exists()


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ("Readme.md", "README.md"),
        ("Docs/x.md", "docs/y.md"),
        (unicodedata.normalize("NFD", "café.txt"), unicodedata.normalize("NFC", "café.txt")),
        ("straße.txt", "STRASSE.txt"),
    ],
)
def test_a_twin_of_what_is_there_is_refused(bench: Bench, there: str, wanted: str) -> None:
    (bench.workspace / there).parent.mkdir(exist_ok=True)
    (bench.workspace / there).write_bytes(b"x")
    new = PlannedFile(path=wanted, kind="add", before_hash=None, after=b"n")
    assert "only in case or in how its letters are encoded" in why(bench.apply(plan_of(new)))


def test_twins_within_a_plan_are_refused_in_any_part(bench: Bench) -> None:
    plan = plan_of(bench.plan("Lib/a.txt", b"1"), bench.plan("lib/b.txt", b"2"))
    assert "only in case" in why(bench.apply(plan))


@posix
def test_twins_that_are_both_there_can_be_edited(bench: Bench) -> None:
    (bench.workspace / "A.TXT").write_bytes(b"upper")
    if (bench.workspace / "a.txt").read_bytes() == b"upper":
        pytest.skip("this file system takes the two for one")
    assert isinstance(bench.apply(plan_of(bench.plan("A.TXT", b"U"), bench.plan("a.txt", b"L"))), Applied)


def test_a_plan_that_contradicts_itself_is_refused(bench: Bench) -> None:
    twice = plan_of(bench.plan("a.txt", b"1"), bench.plan("a.txt", b"2"))
    assert "is in the plan twice" in why(bench.apply(twice))
    nested = plan_of(bench.plan("a.txt", None), bench.plan("a.txt/inner", b"x"))
    assert "is a file in this plan, and a folder in" in why(bench.apply(nested))
    link = plan_of(PlannedFile(path="l", kind="add", before_hash=None, after=b"a.txt", mode_after=0o120000))
    assert "would become a symbolic link" in why(bench.apply(link))
    assert "holds no files" in why(bench.apply(plan_of()))


# -- links and files swapped while it is being written --


@posix
def test_swapping_a_folder_for_a_link_never_leads_out(bench: Bench) -> None:
    """A thread swaps src and a link to the outside as fast as it can; nothing outside is ever touched."""
    for name in ("b.py", "c.sh"):
        (bench.outside / name).write_bytes((bench.workspace / "src" / name).read_bytes())
    outside = look(bench.outside)
    (bench.workspace / "link").symlink_to(bench.outside)
    stop, swaps = threading.Event(), list[None]()

    def swap() -> None:
        while not stop.is_set():
            swaps.append(None)
            for name, to in (("src", "real"), ("link", "src"), ("src", "link"), ("real", "src")):
                (bench.workspace / name).rename(bench.workspace / to)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        ends = [apply_one(bench, number) for number in range(150)]
    finally:
        stop.set()
        swapper.join()
    assert look(bench.outside) == outside
    assert EditRefused in ends, "the swapper never came in between"
    assert len(swaps) > len(ends), "the swapper was stopped by what it met"
    assert recover(bench.journals) == []
    assert [path for path in bench.look() if "edit_" in path] == []


def apply_one(bench: Bench, number: int) -> type:
    b, new = bench.workspace / "src" / "b.py", f"src/new{number}.txt"
    try:
        data = b.read_bytes()
    except OSError:
        data = b"b\r\n"
    plan = plan_of(
        PlannedFile(path="src/b.py", kind="update", before_hash=sha256(data), after=b"%d" % number),
        PlannedFile(path=new, kind="add", before_hash=None, after=b"n"),
    )
    return type(bench.apply(plan))


@posix
def test_a_workspace_swapped_for_a_link_is_not_written_through(bench: Bench) -> None:
    plan = plan_of(bench.plan("keys.txt", b"new"))
    bench.workspace.rename(bench.workspace.with_name("moved"))
    bench.workspace.symlink_to(bench.outside)
    assert f"leads to {bench.outside} now" in why(bench.apply(plan))
    assert not (bench.outside / "keys.txt").exists()


def test_a_file_saved_while_it_is_being_written_stops_everything(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The survey reads a.txt; when the temporaries are written, another program saves it."""
    plan = plan_of(
        *(bench.plan(f"many/{number}.txt", b"x" * 1000) for number in range(200)), bench.plan("a.txt", b"A")
    )
    flush = rewrite._flush

    def flush_and_save(*words: Any) -> None:
        flush(*words)
        (bench.workspace / "mine").write_bytes(b"saved")
        (bench.workspace / "mine").rename(bench.workspace / "a.txt")

    monkeypatch.setattr(rewrite, "_flush", flush_and_save)
    answer = bench.apply(plan)
    assert "a.txt changed since the preview" in why(answer)
    assert (bench.workspace / "a.txt").read_bytes() == b"saved"
    assert not (bench.workspace / "many").exists()


# -- several at once --


def test_edits_at_the_same_time_come_one_after_the_other(bench: Bench) -> None:
    plans = [
        plan_of(*(bench.plan(path, b"%s %d" % (path.encode(), number)) for path in ("a.txt", "src/b.py")))
        for number in range(8)
    ]
    answers: list[Applied | EditRefused] = []
    threads = [threading.Thread(target=lambda plan=plan: answers.append(bench.apply(plan))) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [answer for answer in answers if isinstance(answer, Applied)]
    (number,) = [number for number, plan in enumerate(plans) if plan.hash == winner.hash]
    assert {path: bench.look()[path][1] for path in ("a.txt", "src/b.py")} == {
        "a.txt": b"a.txt %d" % number,
        "src/b.py": b"src/b.py %d" % number,
    }
    assert all("changed since the preview" in why(one) for one in answers if one is not winner)


def test_a_bascule_with_its_data_elsewhere_is_waited_for(bench: Bench, tmp_path: Path) -> None:
    plans = [plan_of(bench.plan("a.txt", b"%d" % number)) for number in range(6)]
    answers: list[Applied | EditRefused] = []

    def run(number: int) -> None:
        answers.append(
            apply_plan(
                bench.workspace,
                plans[number],
                confirmed=plans[number].hash,
                journal_folder=tmp_path / f"journals{number}",
            )
        )

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [isinstance(one, Applied) for one in answers].count(True) == 1


# -- undo --


def test_undo_names_the_file_that_changed_since(bench: Bench) -> None:
    applied = bench.apply(plan_of(bench.plan("a.txt", b"A"), bench.plan("src/b.py", b"B")))
    (bench.workspace / "src/b.py").write_bytes(b"mine")
    before = bench.look()
    answer = bench.undo(applied)
    assert isinstance(answer, EditRefused)
    assert answer.path == "src/b.py"
    assert answer.why == (
        "Edit refused: src/b.py changed since that edit, and undoing it would lose the later change. "
        "Undo the later change first, or change the file back by hand."
    )
    assert bench.look() == before


def test_undo_of_a_file_that_is_there_again_speaks_of_no_preview(bench: Bench) -> None:
    applied = bench.apply(plan_of(bench.plan("a.txt", None)))
    (bench.workspace / "a.txt").write_bytes(b"mine")
    answer = bench.undo(applied)
    assert isinstance(answer, EditRefused)
    assert "a.txt changed since that edit" in answer.why
    assert "preview" not in answer.why


def test_undo_once(bench: Bench) -> None:
    applied = bench.apply(plan_of(bench.plan("a.txt", b"A")))
    bench.undo(applied)
    assert "is already undone" in why(bench.undo(applied))
    assert "there is no edit 'edit_x'" in why(undo("edit_x", journal_folder=bench.journals))
    assert "there is no edit '../ws'" in why(undo("../ws", journal_folder=bench.journals))


def test_a_damaged_journal_is_not_written_back(bench: Bench) -> None:
    applied = bench.apply(plan_of(bench.plan("a.txt", b"A")))
    assert isinstance(applied, Applied)
    (bench.journals / applied.journal / "before").write_bytes(b"b\n")
    assert why(bench.undo(applied)) == f"Undo refused: the journal {applied.journal} is damaged."
    assert (bench.workspace / "a.txt").read_bytes() == b"A"


def test_past_edits_are_listed_the_latest_first(bench: Bench) -> None:
    assert list_past(bench.journals) == []
    plan = plan_of(bench.plan("a.txt", b"A"))
    applied = bench.apply(plan)
    assert isinstance(applied, Applied)
    assert list_past(bench.journals) == [
        FinishedEdit(
            journal=applied.journal,
            workspace=str(bench.workspace.resolve()),
            hash=plan.hash,
            at_ms=applied.at_ms,
            files=("a.txt",),
        )
    ]


def test_a_workspace_that_is_not_there_is_said(bench: Bench) -> None:
    plan = plan_of(bench.plan("a.txt", b"A"))
    gone = bench.workspace.parent / "gone"
    answer = apply_plan(gone, plan, confirmed=plan.hash, journal_folder=bench.journals)
    assert why(answer) == f"Edit refused: the workspace {gone} cannot be opened: No such file or directory."


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_workspace_whose_path_is_no_text_is_refused(bench: Bench) -> None:
    odd = bench.workspace.parent / os.fsdecode(b"w\xff")
    bench.workspace.rename(odd)
    plan = plan_of(planned(odd, "a.txt", b"A"))
    answer = apply_plan(odd, plan, confirmed=plan.hash, journal_folder=bench.journals)
    assert "the path of the workspace is no UTF-8" in why(answer)


def test_a_plan_whose_bytes_are_not_those_of_its_hash_is_refused(bench: Bench) -> None:
    shown = plan_of(bench.plan("a.txt", b"A"))
    swapped = EditPlan(files=(bench.plan("a.txt", b"evil"),), hash=shown.hash)
    assert why(bench.apply(swapped)).startswith("Edit refused: the plan is not the one that its hash tells.")
    assert (bench.workspace / "a.txt").read_bytes() == b"a\n"
