"""Journals are kept for a while: so many, so many bytes, never one that is unfinished."""

from pathlib import Path

import pytest
from tests.host.plans import plan_of, planned

from bascule.host.edits.apply import apply_plan, list_past
from bascule.host.edits.journal import UndoJournals
from bascule.model.edits import Applied


@pytest.fixture
def journals(tmp_path: Path) -> UndoJournals:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "a.txt").write_bytes(b"0" * 1000)
    for number in range(6):
        plan = plan_of(planned(tmp_path / "ws", "a.txt", b"%d" % number * 1000))
        done = apply_plan(tmp_path / "ws", plan, confirmed=plan.hash, journal_folder=tmp_path / "journals")
        assert isinstance(done, Applied)
    return UndoJournals(tmp_path / "journals")


def test_by_count_the_latest_stay(journals: UndoJournals) -> None:
    ids = journals.ids()
    journals.prune(most=2)
    assert journals.ids() == ids[-2:]


def test_by_bytes_the_latest_stay_and_one_at_least(journals: UndoJournals) -> None:
    ids = journals.ids()
    journals.prune(most_bytes=5_000)
    kept = journals.ids()
    assert 1 < len(kept) < 6
    assert kept == ids[-len(kept) :]
    journals.prune(most_bytes=1)
    assert journals.ids() == ids[-1:]


def test_what_is_unfinished_is_not_forgotten(journals: UndoJournals) -> None:
    first = journals.ids()[0]
    journals.unmark(first)
    journals.prune(most=1)
    assert first in journals.ids()
    assert len(journals.ids()) == 2


def test_what_a_kill_left_of_a_journal_is_swept(journals: UndoJournals, tmp_path: Path) -> None:
    (tmp_path / "journals" / "edit_00").mkdir()
    (tmp_path / "journals" / "edit_01.gone").mkdir()
    (tmp_path / "journals" / "edit_01.gone" / "journal.json").write_bytes(b"{}")
    journals.sweep()
    assert sorted(path.name for path in (tmp_path / "journals").glob("edit_0*")) == journals.ids()
    assert len(list_past(tmp_path / "journals")) == 6
