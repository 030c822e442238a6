"""What a person starts by hand: asked about, checked again after the yes, and recorded with its end."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from tests.daemon.consent.answering import AnsweringAsks, SurfaceHere
from tests.daemon.hubs import NOW_MS

from bascule.daemon.consent.manual_actions import (
    NOT_ALLOWED,
    Declined,
    ManualActions,
    ManualQuestion,
    ManualRequest,
)
from bascule.daemon.consent.record import CRASHED, INTERRUPTED, Record
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.host.processes.process_register import Register
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import ActionSubject, CommandSubject, Refuse
from bascule.model.protocol.runs import ShellExecResult
from bascule.model.said import Said

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


async def test_a_command_whose_surface_leaves_is_ended_and_its_end_recorded(place: Place) -> None:
    os.mkfifo(place.project / "began")
    running = asyncio.gather(
        place.actions.run_shell(None, SURFACE, "echo > began; sleep 60", place.project, 90)
    )
    await asyncio.to_thread((place.project / "began").read_text)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert place.recorded() == [
        ("shell", "yes", "started", ""),
        ("shell", "yes", "cancelled", "ended by SIGTERM: the program that asked had left"),
    ]


async def test_what_is_begun_after_a_yes_is_finished_though_its_surface_leaves(place: Place) -> None:
    began, goes_on, done = asyncio.Event(), asyncio.Event(), list[str]()

    async def act() -> None:
        began.set()
        await goes_on.wait()
        done.append("deleted")

    request = ManualRequest("delete", SURFACE, "Delete session s-1", "/w")
    question = ManualQuestion("Delete it?", Said("ask.delete"), ActionSubject(text="s-1"))
    acting = asyncio.gather(place.actions.carry_out(request, question, act))
    await began.wait()
    acting.cancel()
    await asyncio.sleep(0)
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await acting
    assert done == ["deleted"]
    assert [row[:3] for row in place.recorded()] == [("delete", "yes", "started"), ("delete", "yes", "done")]


async def test_what_waits_for_an_agent_ends_when_its_surface_leaves_and_says_so(place: Place) -> None:
    began = asyncio.Event()

    async def act() -> None:
        began.set()
        await asyncio.Event().wait()

    acting = asyncio.gather(place.actions.sign_out(SURFACE, "Codex", "/w", act))
    await began.wait()
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    assert place.recorded()[1:] == [("logout", "yes", "cancelled", INTERRUPTED)]


async def test_what_crashes_has_an_end_too(place: Place) -> None:
    async def act() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await place.actions.sign_out(SURFACE, "Codex", "/w", act)
    assert place.recorded()[1:] == [("logout", "yes", "failed", CRASHED)]
