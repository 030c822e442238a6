"""Asks for a client with one dialog: one at a time, withdrawn when answered elsewhere, never yes unasked."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.hubs import ONE, make_session
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.surfaces.event_view import PlainView
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Ask, Choice, CommandSubject, Option, Question, QuestionsSubject
from bascule.model.changes import AskClosed, AskOpened, Change, RunPut
from bascule.model.consent.origin import Origin
from bascule.model.ids import AskId, RunId
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.sessions import DaemonNotice
from bascule.model.session import Run

R = RunId("r")
CHOICES = (Choice(id="accept", label="Yes", grants=True), Choice(id="decline", label="No", grants=False))
NO_CODEX = '[codex]\ncommand = "no-such-codex-anywhere"\n'


def command(name: str) -> Ask:
    subject = CommandSubject(command=f"make {name}", original=f"make {name}", cwd="/w")
    return Ask(id=AskId(name), title="Run this command?", subject=subject, choices=CHOICES, run=R)


def question(name: str) -> Ask:
    asked = Question(id="leaf", text="Which leaf?", options=(Option("North"), Option("South")))
    answer = Choice(id="answer", label="Answer", grants=True)
    subject = QuestionsSubject(questions=(asked,))
    return Ask(id=AskId(name), title="?", subject=subject, choices=(answer, CHOICES[1]), run=R)


class AskedSurface:
    """A surface that follows a session whose agent cannot be reached: an answer ends in a toast."""

    def __init__(self, app: App, workspace: Path) -> None:
        self.app = app
        app.hub.add(make_session(workspace=str(workspace)))
        self.surface: Surface = app.surfaces.connect(Origin(door="stdio"))
        self.surface.capabilities = UiCapabilities(supports_confirm=True, supports_pick=True)
        self.surface.views[ONE] = PlainView(app, self.surface, ONE)
        self.apply(RunPut(Run(id=R)))

    def apply(self, *changes: Change) -> None:
        self.app.hub.apply(ONE, changes)

    async def hear(self, method: str) -> dict[str, Any]:
        """The next message of that method."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for frame in await self.surface.frames():
                    message: dict[str, Any] = json.loads(frame)
                    if message.get("method") == method:
                        return message

    async def hears_nothing(self, method: str) -> bool:
        try:
            async with asyncio.timeout(0.02):
                await self.hear(method)
        except TimeoutError:
            return True
        return False

    async def reply(self, asked: dict[str, Any], result: object) -> None:
        await self.surface.feed(rpc.result(asked["id"], result))


@pytest.fixture
async def asked_surface(tmp_path: Path) -> AsyncIterator[AskedSurface]:
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text(NO_CODEX, encoding="utf-8")
    async with open_app(folder, command="tests", env={}) as app:
        yield AskedSurface(app, tmp_path)


async def test_one_question_at_a_time(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")), AskOpened(command("two")))
    first = await asked_surface.hear("ui.confirm.request")
    assert "make one" in first["params"]["message"]
    assert await asked_surface.hears_nothing("ui.confirm.request")
    await asked_surface.reply(first, {"ok": False})
    second = await asked_surface.hear("ui.confirm.request")
    assert "make two" in second["params"]["message"]


async def test_an_answer_that_cannot_be_given_is_said(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")))
    await asked_surface.reply(await asked_surface.hear("ui.confirm.request"), {"ok": True})
    toast = (await asked_surface.hear("ui.toast"))["params"]
    assert (toast["level"], "no-such-codex-anywhere" in toast["message"]) == ("error", True)


async def test_a_toast_has_the_level_of_what_it_says(asked_surface: AskedSurface) -> None:
    hello = {"protocol_version": "1", "client": {"name": "c", "version": "1"}}
    await asked_surface.surface.feed(rpc.request("1", "initialize", hello))
    spoken = await asked_surface.hear("ui.toast")
    asked_surface.app.notices.put(DaemonNotice(id="disk", kind="store_full", text="The disk is full."))
    trouble = await asked_surface.hear("ui.toast")
    asked_surface.app.notices.withdraw("disk", "There is room again.")
    over = await asked_surface.hear("ui.toast")
    assert [toast["params"]["level"] for toast in (spoken, trouble, over)] == ["warn", "error", "info"]
    assert [toast["params"]["message"] for toast in (trouble, over)] == [
        "The disk is full.",
        "There is room again.",
    ]


async def test_what_another_surface_answered_is_withdrawn(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")))
    first = await asked_surface.hear("ui.confirm.request")
    asked_surface.apply(AskClosed(AskId("one"), "answered", choice="accept", by="browser (1234)"))
    instead = await asked_surface.hear("ui.confirm.request")
    assert "browser (1234)" in instead["params"]["message"]
    for late in (first, instead):  # decides nothing, asks nothing
        await asked_surface.reply(late, {"ok": True})
    assert await asked_surface.hears_nothing("ui.toast")


async def test_what_ended_with_its_run_leaves_no_dialog(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")))
    first = await asked_surface.hear("ui.confirm.request")
    asked_surface.apply(AskClosed(AskId("one"), "withdrawn"), RunPut(Run(id=R, outcome="interrupted")))
    assert await asked_surface.hears_nothing("ui.confirm.request")
    await asked_surface.reply(first, {"ok": True})
    assert await asked_surface.hears_nothing("ui.toast")


async def test_the_next_ask_follows_one_that_was_answered_elsewhere(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")))
    await asked_surface.hear("ui.confirm.request")
    asked_surface.apply(AskOpened(question("two")))
    asked_surface.apply(AskClosed(AskId("one"), "withdrawn"))
    asked = await asked_surface.hear("ui.pick.request")
    assert [item["label"] for item in asked["params"]["items"]] == ["North", "South"]


async def test_a_field_with_a_default_is_prompted_for_with_it(asked_surface: AskedSurface) -> None:
    asked_surface.surface.capabilities = UiCapabilities(supports_prompt=True)
    field = Question(id="name", text="Your name?", free_text=True, default="Ann")
    subject = QuestionsSubject(questions=(field,), server="book")
    asked_surface.apply(AskOpened(Ask(id=AskId("a"), title="?", subject=subject, choices=CHOICES, run=R)))
    assert (await asked_surface.hear("ui.prompt.request"))["params"] == {
        "title": "book asks",
        "message": "Your name?",
        "run_id": "r",
        "default_value": "Ann",
        "multiline": True,
    }


async def test_what_the_surface_cannot_show_stays_open_for_others(asked_surface: AskedSurface) -> None:
    asked_surface.surface.capabilities = UiCapabilities(supports_pick=True)
    asked_surface.apply(AskOpened(command("one")), AskOpened(question("two")))
    await asked_surface.hear("ui.pick.request")  # the one that it can
    assert {ask.id for ask in asked_surface.app.roster.get(ONE).asks} == {"one", "two"}


async def test_closing_the_view_ends_the_question(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")))
    asked = await asked_surface.hear("ui.confirm.request")
    asked_surface.surface.views.pop(ONE).close()
    await asked_surface.reply(asked, {"ok": True})
    assert await asked_surface.hears_nothing("ui.toast")
    assert {ask.id for ask in asked_surface.app.roster.get(ONE).asks} == {"one"}  # nobody has answered it


async def test_a_surface_that_leaves_has_said_neither_yes_nor_no(asked_surface: AskedSurface) -> None:
    asked_surface.apply(AskOpened(command("one")))
    await asked_surface.hear("ui.confirm.request")
    asked_surface.surface.close()
    await asked_surface.surface.finish()
    assert {ask.id for ask in asked_surface.app.roster.get(ONE).asks} == {"one"}
