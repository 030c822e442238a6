"""What commands did to files, kept for a review and for so long."""

import stat
import zlib
from hashlib import sha256
from pathlib import Path

import pytest
from tests.systems import posix

from bascule.host.files import run_evidence
from bascule.host.files.run_evidence import Evidence, EvidenceStep, RunEvidence
from bascule.host.files.workspace_snapshot import ABSENT, ChangedFile, CommandWindow, FileVersion
from bascule.model.ids import BlockId, RunId, SessionId

SESSION = SessionId("s")


def text(data: bytes) -> FileVersion:
    return FileVersion("text", sha256(data).hexdigest(), zlib.compress(data))


def found(run: str, path: str, before: FileVersion, after: FileVersion) -> ChangedFile:
    window = CommandWindow(session=SESSION, run=RunId(run), block=BlockId("b"), start_ns=0)
    return ChangedFile(window=window, path=path, before=before, after=after)


def keep(kept: Evidence, run: str, *data: bytes) -> None:
    kept.note_run(SESSION, RunId(run), is_whole=True)
    kept.keep([found(run, f"{number}", ABSENT, text(one)) for number, one in enumerate(data)])


def test_steps_come_back_in_order_with_what_files_held(tmp_path: Path) -> None:
    kept = Evidence(tmp_path)
    assert kept.read(SESSION, RunId("r")) == RunEvidence()
    kept.note_run(SESSION, RunId("r"), is_whole=True)
    kept.keep(
        [
            found("r", "a", text(b"1\n"), text(b"2\n")),
            found("r", "b", ABSENT, FileVersion("binary", "h")),
            found("other", "c", ABSENT, text(b"3\n")),
        ]
    )
    assert Evidence(tmp_path).read(SESSION, RunId("r")) == RunEvidence(
        was_watched=True,
        steps=(
            EvidenceStep(block=BlockId("b"), path="a", before=text(b"1\n"), after=text(b"2\n")),
            EvidenceStep(block=BlockId("b"), path="b", before=ABSENT, after=FileVersion("binary", "h")),
        ),
    )
    assert not kept.read(SESSION, RunId("other")).was_watched


def test_a_limit_that_was_met_once_stays_noted(tmp_path: Path) -> None:
    kept = Evidence(tmp_path)
    for is_whole in (True, False, True):
        kept.note_run(SESSION, RunId("r"), is_whole=is_whole)
    assert kept.read(SESSION, RunId("r")) == RunEvidence(was_watched=True, is_whole=False)


def test_the_oldest_runs_go_with_what_only_they_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_evidence, "MAX_RUNS", 2)
    kept = Evidence(tmp_path)
    keep(kept, "1", b"shared\n", b"one\n")
    keep(kept, "2", b"shared\n")
    keep(kept, "3", b"three\n")
    assert [len(kept.read(SESSION, RunId(run)).steps) for run in "123"] == [0, 1, 1]
    assert kept.read(SESSION, RunId("2")).steps[0].after == text(b"shared\n")


def test_the_latest_run_is_kept_whatever_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_evidence, "MAX_BYTES", 1)
    kept = Evidence(tmp_path)
    keep(kept, "1", b"one\n")
    keep(kept, "2", b"two\n")
    assert [len(kept.read(SESSION, RunId(run)).steps) for run in "12"] == [0, 1]


@posix
def test_what_files_held_is_closed_to_others_also_where_it_was_open_before(tmp_path: Path) -> None:
    path = tmp_path / run_evidence.NAME
    path.touch()
    path.chmod(0o644)
    keep(Evidence(tmp_path), "r", b"secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
