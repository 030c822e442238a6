"""`bascule sessions`: its table where a terminal is narrow, and what it says of sessions that nobody runs."""

from pathlib import Path

import pytest
from tests.daemon.hubs import make_session, open_hub

from bascule.cli.sessions import sessions
from bascule.host.files.data_folder import open_folder
from bascule.host.locks.lockfile import acquire
from bascule.model.ids import SessionId
from bascule.model.session import Session

WORDS = ("working", "waits for you", "failed", "done")


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


async def test_what_went_on_when_bascule_was_stopped_neither_works_nor_waits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BASCULE_HOME", str(tmp_path))
    folder = open_folder(tmp_path)
    with open_hub(folder.database) as hub:
        hub.add(make_session("s_1", agent="codex", title="Compile the module", status="waiting_user"))
        hub.add(make_session("s_2", agent="codex", title="Write a line", status="working"))
        hub.add(make_session("s_3", agent="codex", title="Answered", status="completed"))

    with acquire(folder.lock, command="up"):  # whoever owns the folder runs them
        assert [head.status for head in sessions.read_heads(demo=False)] == [
            "waiting_user",
            "working",
            "completed",
        ]
    sessions._print_table(sessions.read_heads(demo=False), deleted=False)
    rows = capsys.readouterr().out.splitlines()[1:]
    said = [next(word for word in WORDS if f" {word} " in row) for row in rows]
    assert said == ["failed", "failed", "done"]
