"""What a person starts by hand: asked about, checked again after the yes, and recorded with its end."""

import sys
from pathlib import Path
from typing import Any, cast

import pytest
from tests.daemon.consent.answering import AnsweringAsks, SurfaceHere
from tests.daemon.hubs import NOW_MS

from bascule.daemon.consent.manual_actions import NOT_ALLOWED, Declined, ManualActions
from bascule.daemon.consent.record import Record
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.host.processes.process_register import Register
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import CommandSubject, Refuse
from bascule.model.protocol.runs import ShellExecResult

SURFACE = cast(Any, SurfaceHere())

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the command is for a POSIX shell")


class Place:
    def __init__(self, root: Path) -> None:
        self.folder, self.project = Folder(root / "home"), root / "project"
        for place in (self.folder.root, self.project):
            place.mkdir()
        self.asks = AnsweringAsks("accept")
        self.actions = ManualActions(
            asks=cast(Any, self.asks),
            record=Record(self.folder.root, lambda: NOW_MS),
            settings=WorkspaceSettings(self.folder, TrustStore(self.folder.root / "trust.json")),
            register=Register(self.folder.root / "children.json", "folder"),
        )
        self.allow(True)

    def allow(self, allowed: bool) -> None:
        self.folder.settings.write_text(f"allowRunTerminal = {str(allowed).lower()}\n")

    async def run(self) -> ShellExecResult | Refuse:
        return await self.actions.run_shell(None, SURFACE, "echo ran > mark; exit 3", self.project, 20)

    def recorded(self) -> list[tuple[str, str, str, str]]:
        entries = [line.entry for line in Audit(audit_in(self.folder.root)).last(10)]
        return [(entry.kind, entry.answer, entry.outcome, entry.why) for entry in entries]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path.resolve())


async def test_a_command_runs_after_a_yes_and_its_end_is_recorded(place: Place) -> None:
    ran = await place.run()
    assert isinstance(ran, ShellExecResult)
    assert (ran.exit_code, (place.project / "mark").read_text()) == (3, "ran\n")
    ((_, subject),) = place.asks.asked
    assert isinstance(subject, CommandSubject)
    assert (subject.command, subject.cwd) == ("echo ran > mark; exit 3", str(place.project))
    assert place.recorded() == [("shell", "yes", "started", ""), ("shell", "yes", "done", "exit code 3")]


async def test_after_a_no_nothing_runs(place: Place) -> None:
    place.asks.choice = "decline"
    with pytest.raises(Declined):
        await place.run()
    assert not (place.project / "mark").exists()
    assert place.recorded() == [("shell", "no", "rejected", "")]


async def test_what_a_setting_forbids_is_not_asked_about(place: Place) -> None:
    place.allow(False)
    assert await place.run() == Refuse(NOT_ALLOWED)
    assert (place.asks.asked, place.recorded()) == ([], [("shell", "none", "not_allowed", NOT_ALLOWED)])


async def test_what_was_forbidden_while_the_question_was_open_does_not_run(place: Place) -> None:
    place.asks.meanwhile = lambda: place.allow(False)
    assert await place.run() == Refuse(NOT_ALLOWED)
    assert not (place.project / "mark").exists()
    assert place.recorded() == [("shell", "yes", "not_allowed", NOT_ALLOWED)]


async def test_an_agent_is_signed_out_after_a_yes_only(place: Place) -> None:
    done: list[str] = []

    async def act() -> None:
        done.append("signed out")

    await place.actions.sign_out(SURFACE, "Codex", "/w", act)
    place.asks.choice = "decline"
    with pytest.raises(Declined):
        await place.actions.sign_out(SURFACE, "Codex", "/w", act)
    assert done == ["signed out"]
    assert [row[:3] for row in place.recorded()] == [
        ("logout", "yes", "started"),
        ("logout", "yes", "done"),
        ("logout", "no", "rejected"),
    ]
