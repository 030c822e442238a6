"""Writing a plan while others write: swapped links, edits side by side, and undo later."""

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.host.edits.edit_folder import EditFolder, why
from tests.host.plans import look, plan_of, planned, sha256
from tests.systems import posix

from bascule.host.edits import rewrite
from bascule.host.edits.apply import FinishedEdit, apply_plan, list_past, recover, undo
from bascule.model.edits import Applied, EditPlan, EditRefused, PlannedFile

# -- links and files swapped while it is being written --


@posix
def test_swapping_a_folder_for_a_link_never_leads_out(disk: EditFolder) -> None:
    """A thread swaps src and a link to the outside as fast as it can; nothing outside is ever touched."""
    for name in ("b.py", "c.sh"):
        (disk.outside / name).write_bytes((disk.workspace / "src" / name).read_bytes())
    outside = look(disk.outside)
    (disk.workspace / "link").symlink_to(disk.outside)
    stop, swaps = threading.Event(), list[None]()

    def swap() -> None:
        while not stop.is_set():
            swaps.append(None)
            for name, to in (("src", "real"), ("link", "src"), ("src", "link"), ("real", "src")):
                (disk.workspace / name).rename(disk.workspace / to)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        ends = [apply_one(disk, number) for number in range(150)]
    finally:
        stop.set()
        swapper.join()
    assert look(disk.outside) == outside
    assert EditRefused in ends, "the swapper never came in between"
    assert len(swaps) > len(ends), "the swapper was stopped by what it met"
    assert recover(disk.journals) == []
    assert [path for path in disk.look() if "edit_" in path] == []


def apply_one(disk: EditFolder, number: int) -> type:
    b, new = disk.workspace / "src" / "b.py", f"src/new{number}.txt"
    try:
        data = b.read_bytes()
    except OSError:
        data = b"b\r\n"
    plan = plan_of(
        PlannedFile(path="src/b.py", kind="update", before_hash=sha256(data), after=b"%d" % number),
        PlannedFile(path=new, kind="add", before_hash=None, after=b"n"),
    )
    return type(disk.apply(plan))


@posix
def test_a_workspace_swapped_for_a_link_is_not_written_through(disk: EditFolder) -> None:
    plan = plan_of(disk.plan("keys.txt", b"new"))
    disk.workspace.rename(disk.workspace.with_name("moved"))
    disk.workspace.symlink_to(disk.outside)
    assert f"leads to {disk.outside} now" in why(disk.apply(plan))
    assert not (disk.outside / "keys.txt").exists()


def test_a_file_saved_while_it_is_being_written_stops_everything(
    disk: EditFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The survey reads a.txt; when the temporaries are written, another program saves it."""
    plan = plan_of(
        *(disk.plan(f"many/{number}.txt", b"x" * 1000) for number in range(200)), disk.plan("a.txt", b"A")
    )
    flush = rewrite._flush

    def flush_and_save(*words: Any) -> None:
        flush(*words)
        (disk.workspace / "mine").write_bytes(b"saved")
        (disk.workspace / "mine").rename(disk.workspace / "a.txt")

    monkeypatch.setattr(rewrite, "_flush", flush_and_save)
    answer = disk.apply(plan)
    assert "a.txt changed since the preview" in why(answer)
    assert (disk.workspace / "a.txt").read_bytes() == b"saved"
    assert not (disk.workspace / "many").exists()


# -- several at once --


def test_edits_at_the_same_time_come_one_after_the_other(disk: EditFolder) -> None:
    plans = [
        plan_of(*(disk.plan(path, b"%s %d" % (path.encode(), number)) for path in ("a.txt", "src/b.py")))
        for number in range(8)
    ]
    answers: list[Applied | EditRefused] = []
    threads = [threading.Thread(target=lambda plan=plan: answers.append(disk.apply(plan))) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [answer for answer in answers if isinstance(answer, Applied)]
    (number,) = [number for number, plan in enumerate(plans) if plan.hash == winner.hash]
    assert {path: disk.look()[path][1] for path in ("a.txt", "src/b.py")} == {
        "a.txt": b"a.txt %d" % number,
        "src/b.py": b"src/b.py %d" % number,
    }
    assert all("changed since the preview" in why(one) for one in answers if one is not winner)


def test_a_bascule_with_its_data_elsewhere_is_waited_for(disk: EditFolder, tmp_path: Path) -> None:
    plans = [plan_of(disk.plan("a.txt", b"%d" % number)) for number in range(6)]
    answers: list[Applied | EditRefused] = []

    def run(number: int) -> None:
        answers.append(
            apply_plan(
                disk.workspace,
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


def test_undo_names_the_file_that_changed_since(disk: EditFolder) -> None:
    applied = disk.apply(plan_of(disk.plan("a.txt", b"A"), disk.plan("src/b.py", b"B")))
    (disk.workspace / "src/b.py").write_bytes(b"mine")
    before = disk.look()
    answer = disk.undo(applied)
    assert isinstance(answer, EditRefused)
    assert answer.path == "src/b.py"
    assert answer.why == (
        "Edit refused: src/b.py changed since that edit, and undoing it would lose the later change. "
        "Undo the later change first, or change the file back by hand."
    )
    assert disk.look() == before


def test_undo_of_a_file_that_is_there_again_speaks_of_no_preview(disk: EditFolder) -> None:
    applied = disk.apply(plan_of(disk.plan("a.txt", None)))
    (disk.workspace / "a.txt").write_bytes(b"mine")
    answer = disk.undo(applied)
    assert isinstance(answer, EditRefused)
    assert "a.txt changed since that edit" in answer.why
    assert "preview" not in answer.why


def test_undo_once(disk: EditFolder) -> None:
    applied = disk.apply(plan_of(disk.plan("a.txt", b"A")))
    disk.undo(applied)
    assert "is already undone" in why(disk.undo(applied))
    assert "there is no edit 'edit_x'" in why(undo("edit_x", journal_folder=disk.journals))
    assert "there is no edit '../ws'" in why(undo("../ws", journal_folder=disk.journals))


def test_a_damaged_journal_is_not_written_back(disk: EditFolder) -> None:
    applied = disk.apply(plan_of(disk.plan("a.txt", b"A")))
    assert isinstance(applied, Applied)
    (disk.journals / applied.journal / "before").write_bytes(b"b\n")
    assert why(disk.undo(applied)) == f"Undo refused: the journal {applied.journal} is damaged."
    assert (disk.workspace / "a.txt").read_bytes() == b"A"


def test_past_edits_are_listed_the_latest_first(disk: EditFolder) -> None:
    assert list_past(disk.journals) == []
    plan = plan_of(disk.plan("a.txt", b"A"))
    applied = disk.apply(plan)
    assert isinstance(applied, Applied)
    assert list_past(disk.journals) == [
        FinishedEdit(
            journal=applied.journal,
            workspace=str(disk.workspace.resolve()),
            hash=plan.hash,
            at_ms=applied.at_ms,
            files=("a.txt",),
        )
    ]


def test_a_workspace_that_is_not_there_is_said(disk: EditFolder) -> None:
    plan = plan_of(disk.plan("a.txt", b"A"))
    gone = disk.workspace.parent / "gone"
    answer = apply_plan(gone, plan, confirmed=plan.hash, journal_folder=disk.journals)
    assert why(answer) == f"Edit refused: the workspace {gone} cannot be opened: No such file or directory."


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_workspace_whose_path_is_no_text_is_refused(disk: EditFolder) -> None:
    odd = disk.workspace.parent / os.fsdecode(b"w\xff")
    disk.workspace.rename(odd)
    plan = plan_of(planned(odd, "a.txt", b"A"))
    answer = apply_plan(odd, plan, confirmed=plan.hash, journal_folder=disk.journals)
    assert "the path of the workspace is no UTF-8" in why(answer)


def test_a_plan_whose_bytes_are_not_those_of_its_hash_is_refused(disk: EditFolder) -> None:
    shown = plan_of(disk.plan("a.txt", b"A"))
    swapped = EditPlan(files=(disk.plan("a.txt", b"evil"),), hash=shown.hash)
    assert why(disk.apply(swapped)).startswith("Edit refused: the plan is not the one that its hash tells.")
    assert (disk.workspace / "a.txt").read_bytes() == b"a\n"
