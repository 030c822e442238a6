"""`bascule sessions`: its table where a terminal is narrow."""

import pytest

from bascule.cli.sessions import sessions
from bascule.model.ids import SessionId
from bascule.model.session import Session


def test_a_narrow_terminal_shortens_the_title_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "UNCUT", 80)
    head = Session(
        id=SessionId("s_01a1f06536f57ce3b1ffef199ba49e23"),
        workspace="/home/me/billing-api",
        agent="codex",
        title="Rename the parser package and everything that names it in the docs",
        updated_at_ms=1,
    )
    sessions._print_table([head], deleted=False)
    header, row = capsys.readouterr().out.splitlines()
    assert header.split() == ["session", "title", "status", "folder", "changed"]
    assert row.startswith("9ba49e23  Rename the parser")
    assert "…" in row
    assert row.rstrip().endswith("billing-api  1970-01-01")
    assert len(row) <= 80
