"""After a crash: put back, reported and recorded."""

import os
from pathlib import Path

import pytest
from tests.host.plans import look, plan_of, planned

from bascule.cli import main
from bascule.core.text.counts import counted
from bascule.host.edits.apply import Recovered, apply_plan, find_bar, find_cut_off
from bascule.host.edits.journal import UndoJournals, journals_in
from bascule.host.edits.recovery import describe, recover_edits
from bascule.host.files.data_folder import Folder
from bascule.host.findings import inspect_machine
from bascule.host.processes.program import SearchPath
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.edits import Applied


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "ws" / name).write_bytes(b"before")
    return tmp_path


def cut_off(root: Path) -> Applied:
    """An edit that was killed when all was written and only the last mark was missing."""
    plan = plan_of(*(planned(root / "ws", name, b"after") for name in ("a.txt", "b.txt")))
    done = apply_plan(root / "ws", plan, confirmed=plan.hash, journal_folder=journals_in(root))
    assert isinstance(done, Applied)
    UndoJournals(journals_in(root)).unmark(done.journal)
    return done


def test_nothing_to_do_is_nothing_said(root: Path) -> None:
    assert recover_edits(root) == []
    assert not audit_in(root).exists()


def test_what_was_cut_off_is_put_back_reported_and_recorded(root: Path) -> None:
    before = look(root / "ws")
    done = cut_off(root)
    said = f"An edit of 2 files in {(root / 'ws').resolve()} was cut off, and was put back."
    assert recover_edits(root) == [said]
    assert look(root / "ws") == before
    (line,) = Audit(audit_in(root)).last(10)
    entry = line.entry
    assert (entry.kind, entry.outcome, entry.hash, entry.ref) == ("apply", "failed", done.hash, done.journal)
    assert entry.why == said
    assert recover_edits(root) == []


def test_what_somebody_has_changed_since_is_named(root: Path) -> None:
    cut_off(root)
    (root / "ws" / "b.txt").write_bytes(b"mine")
    (said,) = recover_edits(root)
    assert said.endswith("Changed by somebody since, and left as they are: b.txt.")
    assert {path: data for path, (_, data) in look(root / "ws").items()} == {
        "a.txt": b"before",
        "b.txt": b"mine",
    }


@pytest.mark.parametrize("count", [1, 8])
def test_what_cannot_be_written_yet_is_not_said_to_be_put_back(count: int) -> None:
    files = tuple(f"{number}.txt" for number in range(count))
    one = Recovered(journal="edit_1", workspace="/ws", hash="h", files=files, failed=files)
    more = " and 3 more" if count == 8 else ""
    assert describe(one) == (
        f"An edit of {counted(count, 'file')} in /ws was cut off, and is not put back yet. "
        f"Tried again at the next start: {', '.join(files[:5])}{more}."
    )


def test_until_it_is_put_back_it_is_named_and_nothing_is_planned_on_it(root: Path) -> None:
    done = cut_off(root)
    journals, workspace = journals_in(root), (root / "ws").resolve()
    assert [journal.id for journal in find_cut_off(journals)] == [done.journal]
    bar = find_bar(workspace, journals)
    assert bar is not None
    assert "an earlier edit of a.txt, b.txt was cut off" in bar.why
    assert find_bar(root / "elsewhere", journals) is None
    recover_edits(root)
    assert find_cut_off(journals) == []
    assert find_bar(workspace, journals) is None


def test_the_doctor_names_files_that_are_half_written(root: Path) -> None:
    cut_off(root)
    root.chmod(0o700)
    everything = inspect_machine(Folder(root), None, lambda _settings: {}, SearchPath(os.environ))
    found = [one for one in everything if one.what == "half-written edit"]
    assert [(one.state, one.detail) for one in found] == [
        ("missing", f"2 files in {(root / 'ws').resolve()}: a.txt, b.txt")
    ]


def test_a_plan_is_made_on_files_that_are_put_back_first(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = look(root / "ws")
    cut_off(root)
    monkeypatch.setenv("BASCULE_HOME", str(root))
    change = root / "change.diff"
    change.write_text("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before\n\\ No newline at end of file\n+new\n")
    assert main(["diff", "plan", str(change), "--workspace", str(root / "ws")]) == 0
    shown = capsys.readouterr()
    assert "was cut off, and was put back" in shown.err
    assert "1 file, +1 -1" in shown.out
    assert look(root / "ws") == before
