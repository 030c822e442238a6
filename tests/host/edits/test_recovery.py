"""After a crash: put back, told and put on record."""

from pathlib import Path

import pytest
from tests.host.plans import look, plan_of, planned

from bascule.host.edits.apply import apply_plan
from bascule.host.edits.journal import UndoJournals, journals_in
from bascule.host.edits.recovery import mend
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
    assert mend(root) == []
    assert not audit_in(root).exists()


def test_what_was_cut_off_is_put_back_told_and_recorded(root: Path) -> None:
    before = look(root / "ws")
    done = cut_off(root)
    said = f"An edit of 2 files in {(root / 'ws').resolve()} was cut off, and was put back."
    assert mend(root) == [said]
    assert look(root / "ws") == before
    (line,) = Audit(audit_in(root)).last(10)
    entry = line.entry
    assert (entry.kind, entry.outcome, entry.hash, entry.ref) == ("apply", "failed", done.hash, done.journal)
    assert entry.why == said
    assert mend(root) == []


def test_what_somebody_has_changed_since_is_named(root: Path) -> None:
    cut_off(root)
    (root / "ws" / "b.txt").write_bytes(b"mine")
    (said,) = mend(root)
    assert said.endswith("Changed by somebody since, and left as they are: b.txt.")
    assert {path: data for path, (_, data) in look(root / "ws").items()} == {
        "a.txt": b"before",
        "b.txt": b"mine",
    }
