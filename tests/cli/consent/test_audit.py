"""`bascule audit`, `status` and `doctor` of a record that is new, short, or gone."""

import shutil
from pathlib import Path

import pytest

from bascule.cli import main
from bascule.cli.consent.audit import EMPTY, PROVES, PROVES_NOT
from bascule.core.consent.record_chain import UNANCHORED
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Entry, Lasts, Local, Outcome, Reply

Said = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BASCULE_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "home"


def note(home: Path, answer: Reply = "none", lasts: Lasts = "once") -> None:
    who = Local(surface="terminal")
    entry = Entry(at_ms=1, kind="ask", who=who, asked="make", outcome="done", answer=answer, lasts=lasts)
    Audit(audit_in(home)).append(entry)


def test_a_new_record_alarms_nobody(home: Path, capsys: Said) -> None:
    assert (main(["audit"]), capsys.readouterr().out) == (0, f"{EMPTY}\n")
    assert (main(["audit", "--verify"]), capsys.readouterr().out) == (0, f"{EMPTY}\n")
    assert (main(["audit", "--json"]), capsys.readouterr().out) == (0, "")
    assert not (home / "audit").exists()


def test_one_line_is_one_line(home: Path, capsys: Said) -> None:
    note(home)
    assert main(["audit", "--verify"]) == 0
    first, count, _hash, *rest = capsys.readouterr().out.splitlines()
    assert (first, count.partition(",")[0], rest) == (
        "✓ Every line is as it was written.",
        "1 line",
        [PROVES, PROVES_NOT],
    )


def test_each_end_hides_its_own_start_and_no_other(home: Path, capsys: Said) -> None:
    outcomes: tuple[Outcome, ...] = ("started", "done", "started")
    for at_ms, outcome in enumerate(outcomes):
        who = Local(surface="terminal")
        entry = Entry(at_ms=at_ms, kind="delete", who=who, asked="Delete it", outcome=outcome, ref="s_1")
        Audit(audit_in(home)).append(entry)
    assert main(["audit"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["2", "3"]


def test_a_yes_for_once_says_so(home: Path, capsys: Said) -> None:
    note(home, "yes")
    note(home, "yes", "session")
    note(home, "no")
    note(home)
    assert main(["audit"]) == 0
    assert [line.partition("terminal ")[2] for line in capsys.readouterr().out.splitlines()] == [
        "answered yes, once: make",
        "answered yes, for this session: make",
        "answered no: make",
        "asked: make – done",
    ]


def test_a_record_that_is_gone_is_said_to_be_gone(home: Path, capsys: Said) -> None:
    note(home)
    note(home)
    shutil.rmtree(home / "audit")
    gone = "The record was removed: lines 1 to 2 are missing."
    assert (main(["audit"]), capsys.readouterr().out) == (0, f"{gone}\n")
    assert main(["audit", "--verify"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "✗ the record: the whole of it is gone (2 lines)"
    main(["doctor"])
    assert f"✗ record: {gone}\n" in capsys.readouterr().out
    assert main(["status"]) == 1
    assert capsys.readouterr().out == f"Bascule is not running. `bascule up` starts it.\n✗ {gone}\n"


def test_a_record_whose_note_is_gone_is_not_proved(home: Path, capsys: Said) -> None:
    note(home)
    note(home)
    (home / "bascule.db").unlink()
    assert main(["audit", "--verify"]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == f"✗ the record: {UNANCHORED}"
    assert PROVES not in rest
    assert main(["audit", "--verify", "--json"]) == 1
    assert "has no note of it" in capsys.readouterr().out
