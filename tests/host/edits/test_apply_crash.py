"""Edits cut off: killed at every step, a full disk, a folder that cannot be written; never half of it."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.host.plans import Seen, look, plan_of, planned

from bascule.host.edits import flush, rewrite
from bascule.host.edits.apply import FinishedEdit, Recovered, apply_plan, list_past, recover, undo
from bascule.model.edits import Applied, EditPlan, EditRefused

if sys.platform == "win32":
    pytest.skip("processes are killed by signals here", allow_module_level=True)

FILES = 7  # one of each kind, and of each mode
MEMORY = Path("/dev/shm")
EVENTS = {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.chmod", "os.chown"}


class Cut:
    """A workspace of files, and an edit of all of them in every way."""

    def __init__(self, root: Path) -> None:
        self.workspace, self.journals = root / "ws", root / "journals"
        for number in range(FILES):
            path = self.workspace / f"d{number % 4}" / f"{number}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"before %d\n" % number)
            path.chmod((0o644, 0o600, 0o755)[number % 3])
        self.plan = plan_of(*self._files())

    def _files(self) -> Iterator[Any]:
        for number in range(FILES):
            path = f"d{number % 4}/{number}.txt"
            match number % 5:
                case 0:
                    yield planned(self.workspace, path, None)
                case 1:
                    yield planned(self.workspace, f"new/{number}/x.txt", b"moved", source=path)
                case 2:
                    yield planned(self.workspace, f"d1/new{number}.txt", b"new", mode_after=0o100755)
                case _:
                    yield planned(self.workspace, path, b"after %d\n" % number, mode_after=0o100755)

    def apply(self) -> Applied | EditRefused:
        return apply_plan(self.workspace, self.plan, confirmed=self.plan.hash, journal_folder=self.journals)

    def look(self) -> Seen:
        return look(self.workspace)


@pytest.fixture
def cut(tmp_path: Path) -> Iterator[Cut]:
    """In memory where the system has such a place: thousands of edits would wait for a disk."""
    if not os.access(MEMORY, os.W_OK):
        yield Cut(tmp_path)
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Cut(Path(folder))


def kill_at(step: int) -> None:
    """In a process of its own: SIGKILL when so many things have been done to the disk."""
    counted = 0

    def count(event: str = "", *_: object) -> None:
        nonlocal counted
        counted += 1
        if counted > step:
            os.kill(os.getpid(), signal.SIGKILL)

    write = os.write

    def write_half(fd: int, data: Any) -> int:
        if counted + 1 > step:
            write(fd, bytes(data)[: len(data) // 2])
        count()
        return write(fd, data)

    def skip(_fd: int) -> None:
        count()  # what a kill leaves does not hang on the disk's own memory

    def skip_all(_fd: int) -> int:
        count()
        return 0

    os.write, os.fsync = write_half, skip  # type: ignore[assignment]
    flush.SYNCFS = skip_all
    sys.addaudithook(lambda event, _args: count() if event in EVENTS else None)


def run_killed(step: int, act: Callable[[], object]) -> bool:
    """Whether it came to its end before."""
    child = os.fork()
    if child == 0:
        try:
            kill_at(step)
            sys.stderr.write("" if not isinstance(answer := act(), EditRefused) else answer.why)
            os._exit(isinstance(answer, EditRefused))
        finally:
            os._exit(2)
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL), f"the child ended with {status}"
    return status == 0


def every_step(act: Callable[[], object], check: Callable[[], None], stride: int = 1) -> int:
    step = 0
    while not run_killed(step, act):
        check()
        step += stride
    return step


@pytest.mark.parametrize("many", [30, 3], ids=["synced file by file", "synced with one call"])
def test_killed_at_every_step_all_files_are_before_or_all_after(
    cut: Cut, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []

    def sync(fd: int) -> int:
        synced.append(fd)
        return 0

    monkeypatch.setattr(rewrite, "MANY", many)
    monkeypatch.setattr(flush, "SYNCFS", sync)
    before = cut.look()
    ends: list[Seen] = []

    def check() -> None:
        recover(cut.journals)
        ends.append(cut.look())
        if ends[-1] != before:
            (past,) = list_past(cut.journals)
            assert isinstance(undo(past.journal, journal_folder=cut.journals), Applied)
            forget(cut, list_past(cut.journals))
        assert cut.look() == before

    steps = every_step(cut.apply, check)
    assert steps > 6 * FILES  # or the hooks saw nothing
    after = cut.look()
    assert {path: data for path, (_, data) in after.items() if data} == expected(cut.plan)
    assert [end for end in ends if end not in (before, after)] == []
    assert before in ends
    (past,) = list_past(cut.journals)
    assert isinstance(undo(past.journal, journal_folder=cut.journals), Applied)
    assert cut.look() == before
    assert isinstance(cut.apply(), Applied)
    assert bool(synced) == (many == 3)


def forget(cut: Cut, pasts: list[FinishedEdit]) -> None:
    """As if it had never been, for the next round."""
    for past in pasts:
        shutil.rmtree(cut.journals / past.journal)


def expected(plan: EditPlan) -> dict[str, bytes]:
    """What the plan says, and what it does not name."""
    gone = {file.source for file in plan.files} | {file.path for file in plan.files}
    kept = {f"d{number % 4}/{number}.txt": b"before %d\n" % number for number in range(FILES)}
    after = {file.path: file.after for file in plan.files if file.after is not None}
    return {path: data for path, data in kept.items() if path not in gone} | after


def test_an_undo_killed_at_every_step_leaves_all_or_nothing_undone(cut: Cut) -> None:
    before = cut.look()
    applied = cut.apply()
    assert isinstance(applied, Applied)
    after = cut.look()
    ends: list[Seen] = []

    def check() -> None:
        recover(cut.journals)
        ends.append(cut.look())
        if ends[-1] == before:  # the kill came after the end: do it again
            latest = list_past(cut.journals)[0]
            assert isinstance(undo(latest.journal, journal_folder=cut.journals), Applied)
            forget(cut, list_past(cut.journals)[:-1])
        assert cut.look() == after

    steps = every_step(lambda: undo(applied.journal, journal_folder=cut.journals), check, stride=3)
    assert steps > 4 * FILES
    assert cut.look() == before
    assert [end for end in ends if end not in (before, after)] == []


def test_a_recovery_killed_at_every_step_is_finished_by_the_next(cut: Cut) -> None:
    before = cut.look()
    assert not run_killed(find_late_step(cut), cut.apply)
    assert cut.look() != before
    steps = every_step(lambda: recover(cut.journals), lambda: None)
    assert steps > 10
    assert cut.look() == before
    assert recover(cut.journals) == []


def find_late_step(cut: Cut) -> int:
    """One at which most files are renamed and it is not yet finished: before the folders are flushed."""
    low, high = 0, 10_000
    while low < high:
        middle = (low + high) // 2
        if run_killed(middle, cut.apply):
            high = middle
        else:
            low = middle + 1
        recover(cut.journals)
        for past in list_past(cut.journals):
            assert isinstance(undo(past.journal, journal_folder=cut.journals), Applied)
        forget(cut, list_past(cut.journals))
    return low - 30


def test_what_somebody_wrote_after_the_crash_is_left_and_named(cut: Cut) -> None:
    before = cut.look()
    run_killed(find_late_step(cut), cut.apply)
    (cut.workspace / "d3" / "3.txt").write_bytes(b"mine")
    (journal,) = recover(cut.journals)
    assert journal.left == ("d3/3.txt",)
    assert not journal.is_whole
    assert cut.look() == before | {"d3/3.txt": (cut.look()["d3/3.txt"][0], b"mine")}
    assert recover(cut.journals) == []  # reported once


def test_a_journal_that_cannot_be_read_is_reported_once(cut: Cut) -> None:
    run_killed(find_late_step(cut), cut.apply)
    (sheet,) = cut.journals.glob("edit_*/journal.json")
    sheet.write_bytes(b"{half")
    (journal,) = recover(cut.journals)
    assert f"its journal {sheet.parent} cannot be read" in journal.why
    assert sheet.exists()
    assert recover(cut.journals) == []


def test_the_next_edit_puts_back_what_was_cut_off(cut: Cut) -> None:
    run_killed(find_late_step(cut), cut.apply)
    assert isinstance(cut.apply(), Applied)


def test_a_workspace_that_is_away_is_waited_for(cut: Cut) -> None:
    before = cut.look()
    run_killed(find_late_step(cut), cut.apply)
    cut.workspace.rename(cut.workspace.with_name("away"))
    (journal,) = recover(cut.journals)
    assert isinstance(journal, Recovered)
    assert "cannot be opened" in journal.why
    cut.workspace.with_name("away").rename(cut.workspace)
    (journal,) = recover(cut.journals)
    assert journal.is_whole
    assert cut.look() == before


# -- the disk says no --

CHILD = """
import os, pickle, resource, sys
import bascule.host.edits.apply as edits
limit, user, workspace, journals, plan = pickle.load(sys.stdin.buffer)
from bascule.host.edits.apply import apply_plan
from pathlib import Path
if user and os.geteuid() == 0:
    os.setgid(user); os.setuid(user)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
answer = apply_plan(Path(workspace), plan, confirmed=plan.hash, journal_folder=Path(journals))
sys.stdout.write(type(answer).__name__ + " " + getattr(answer, "why", ""))
"""


def apply_elsewhere(cut: Cut, plan: EditPlan, *, limit: int = 0, user: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=pickle.dumps((limit, user, str(cut.workspace), str(cut.journals), plan)),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_a_disk_that_is_full_in_the_middle_changes_nothing(cut: Cut) -> None:
    before = cut.look()
    big = plan_of(
        *(planned(cut.workspace, f"d3/{number}.txt", b"small") for number in (3, 7, 11)),
        planned(cut.workspace, "new/folder/big.txt", b"x" * 400_000),
    )
    assert apply_elsewhere(cut, big, limit=200_000) == (
        "EditRefused Edit refused: new/folder/big.txt: File too large. Check that it can be written."
    )
    assert cut.look() == before
    assert list_past(cut.journals) == []
    assert recover(cut.journals) == []


def test_a_disk_without_room_for_the_journal_changes_nothing(cut: Cut) -> None:
    (cut.workspace / "big.txt").write_bytes(b"x" * 400_000)
    before = cut.look()
    answer = apply_elsewhere(cut, plan_of(planned(cut.workspace, "big.txt", b"small")), limit=200_000)
    assert answer == "EditRefused Edit refused: the journal: File too large."
    assert cut.look() == before


@pytest.fixture
def shared() -> Iterator[Cut]:
    """Where another user can reach it too."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        cut = Cut(root)
        cut.journals.mkdir()
        if os.geteuid() == 0:
            for path in (cut.journals, cut.workspace, *cut.workspace.rglob("*")):
                os.chown(path, 65534, 65534)
        yield cut
        for path in cut.workspace.glob("*"):
            path.chmod(0o755)


@pytest.mark.parametrize("folder", ["d1", "d3"])
def test_a_folder_that_cannot_be_written_changes_nothing(shared: Cut, folder: str) -> None:
    (shared.workspace / folder).chmod(0o555)
    before = shared.look()
    assert f"Edit refused: {folder}/" in (answer := apply_elsewhere(shared, shared.plan, user=65534))
    assert "Permission denied" in answer
    assert shared.look() == before


def test_a_file_of_another_user_keeps_its_owner_or_nothing_is_written(shared: Cut) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(shared.workspace / "d3" / "3.txt", 0, 0)
    (shared.workspace / "d3" / "3.txt").chmod(0o644)
    before = shared.look()
    answer = apply_elsewhere(shared, shared.plan, user=65534)
    assert answer == (
        "EditRefused Edit refused: d3/3.txt: Operation not permitted. Check that it can be written."
    )
    assert shared.look() == before
