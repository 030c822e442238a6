"""hooks.*: nothing is written without a yes; the yes, the no and a failure are recorded."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link, LinkRefused
from bascule.core.watch.hook_lines import EVENTS
from bascule.core.wire.rpc import NOT_ALLOWED
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.origin import Origin
from bascule.model.protocol.hooks import HooksParams
from bascule.model.protocol.sessions import AnswerParams, WatchParams
from bascule.model.protocol.setup import InspectParams, WaitingAsk


class Person:
    """Somebody at a terminal, who answers."""

    def __init__(self, app: App, link: Link, path: Path) -> None:
        self.app, self.link, self.path = app, link, path
        self.news = asyncio.Event()

    async def ask(
        self,
        method: str,
        choice: str,
        tasks: Tasks,
        meanwhile: Callable[[], object] = lambda: None,
        **more: Any,
    ) -> list[str]:
        """What the question said; the call's outcome is in `ended`. `meanwhile`: before the answer."""
        ended: list[object] = []

        async def call() -> None:
            try:
                params = HooksParams(settings=str(self.path), **more)
                ended.append(await self.link.call(method, params))
            except LinkRefused as refused:
                ended.append(refused)
            self.news.set()

        tasks.start(method, call())
        while not ended:
            await self.news.wait()
            self.news.clear()
            waiting: tuple[WaitingAsk, ...] = (await self.link.call("ask.list", InspectParams())).asks
            for one in waiting:
                meanwhile()
                answer = AnswerParams(session_id=one.session_id, ask_id=one.ask.id, choice=choice)
                await self.link.call("ask.answer", answer)
                self.said = [one.ask.title, one.ask.subject.text]  # type: ignore[union-attr]
        self.ended = ended[0]
        return self.said

    def record(self) -> list[tuple[str, str, str]]:
        lines = Audit(audit_in(self.app.folder.root)).last(20)
        return [(line.entry.kind, line.entry.outcome, line.entry.answer) for line in lines]


@pytest.fixture
async def tasks() -> AsyncIterator[Tasks]:
    async with Tasks() as tasks:
        yield tasks


@pytest.fixture
async def person(tmp_path: Path, tasks: Tasks) -> AsyncIterator[Person]:
    folder = open_folder(tmp_path / "data")
    people: list[Person] = []

    def heard(_method: str, _params: object) -> None:
        for one in people:
            one.news.set()

    async with open_app(folder, command="test", env={"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": ""}) as app:
        surface = app.surfaces.connect(Origin(door="terminal"), workspace=str(tmp_path))
        link = Link(InProcessWire(surface, SurfaceClosed), heard)
        people.append(Person(app, link, tmp_path / ".claude" / "settings.json"))
        tasks.start("link", link.run())
        await link.initialize("test")
        await link.call("session.watch", WatchParams())
        yield people[0]


async def test_a_yes_installs_and_is_recorded(person: Person, tasks: Tasks) -> None:
    title, text = await person.ask("hooks.install", "accept", tasks)
    assert title == "Install hooks in Claude's settings?"
    assert str(person.path) in text
    assert "bascule-notify" in text
    assert "/hooks" in text
    assert all(event in text for event in EVENTS)
    assert set(json.loads(person.path.read_text())["hooks"]) == set(EVENTS)
    assert person.record() == [("ask", "done", "yes"), ("hooks", "started", "yes"), ("hooks", "done", "yes")]
    status = await person.link.call("hooks.status", HooksParams(settings=str(person.path)))
    assert (status.state, status.outside) == ("installed", True)


async def test_the_question_and_the_record_name_the_file_that_a_link_leads_to(
    person: Person, tasks: Tasks, tmp_path: Path
) -> None:
    (tmp_path / "kept.json").write_text("{}")
    person.path.parent.mkdir()
    person.path.symlink_to(tmp_path / "kept.json")
    _title, text = await person.ask("hooks.install", "accept", tasks)
    named = f"{person.path} (in fact {tmp_path / 'kept.json'})"
    assert text.startswith(f"{named}: the command ")
    done = Audit(audit_in(person.app.folder.root)).last(1)[0].entry
    assert (done.asked, done.outcome) == (f"install hooks in {named}", "done")


async def test_a_no_writes_nothing_and_is_recorded(person: Person, tasks: Tasks) -> None:
    await person.ask("hooks.install", "decline", tasks)
    assert isinstance(person.ended, LinkRefused)
    assert not person.path.exists()
    assert not (person.app.folder.root / "notify").exists()
    assert person.record() == [("ask", "done", "no"), ("hooks", "rejected", "no")]


async def test_installing_again_asks_nothing(person: Person, tasks: Tasks) -> None:
    await person.ask("hooks.install", "accept", tasks)
    before = person.path.read_bytes()
    status = await person.link.call("hooks.install", HooksParams(settings=str(person.path)))
    assert status.state == "installed"
    assert person.path.read_bytes() == before
    assert len(person.record()) == 3


async def test_without_a_settings_file_there_is_nothing_to_remove(person: Person) -> None:
    status = await person.link.call("hooks.uninstall", HooksParams(settings=str(person.path)))
    assert (status.state, person.path.exists()) == ("absent", False)


async def test_uninstall_and_restore_go_the_same_way(person: Person, tasks: Tasks) -> None:
    person.path.parent.mkdir()
    person.path.write_text('{"model": "opus"}')
    await person.ask("hooks.install", "accept", tasks, outside=False)
    await person.ask("hooks.uninstall", "accept", tasks)
    assert person.path.read_text() == '{"model": "opus"}'
    person.path.write_text("{}")
    title, text = await person.ask("hooks.restore", "accept", tasks)
    assert title == "Restore Claude's settings from the backup?"
    assert "settings.json.bak" in text
    assert person.path.read_text() == '{"model": "opus"}'


SWAPPED = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "evil"}]}]}}'


MEANWHILE = "has changed meanwhile, so nothing was written"


@pytest.mark.parametrize(
    ("method", "swapped", "why"),
    [
        ("hooks.install", "settings.json", MEANWHILE),
        ("hooks.uninstall", "settings.json", MEANWHILE),
        ("hooks.restore", "settings.json", MEANWHILE),
        ("hooks.restore", "settings.json.bak", "settings.json.bak was not written by Bascule"),
    ],
)
async def test_what_was_swapped_while_the_question_was_open_is_not_written(
    person: Person, tasks: Tasks, method: str, swapped: str, why: str
) -> None:
    person.path.parent.mkdir()
    person.path.write_text('{"model": "opus"}')
    if method != "hooks.install":
        await person.ask("hooks.install", "accept", tasks)
    other = person.path.with_name(swapped)
    before = {path: path.read_bytes() for path in person.path.parent.iterdir()}
    await person.ask(method, "accept", tasks, lambda: other.write_text(SWAPPED))
    assert isinstance(person.ended, LinkRefused)
    assert why in person.ended.message
    after = {path: path.read_bytes() for path in person.path.parent.iterdir()}
    assert after == {**before, other: SWAPPED.encode()}
    assert person.record()[-2:] == [("hooks", "started", "yes"), ("hooks", "failed", "yes")]


async def test_what_cannot_be_done_is_refused_before_anyone_is_asked(person: Person) -> None:
    person.path.parent.mkdir()
    person.path.write_text("{ // a comment")
    with pytest.raises(LinkRefused, match=r"not valid JSON.*nothing was changed"):
        await person.link.call("hooks.install", HooksParams(settings=str(person.path)))
    with pytest.raises(LinkRefused, match="whole path"):
        await person.link.call("hooks.install", HooksParams(settings="settings.json"))
    assert person.record() == []


async def test_a_failure_after_the_yes_is_recorded(
    person: Person, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bascule.host.config import claude_settings

    def fail(*_given: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(claude_settings, "replace_file", fail)
    await person.ask("hooks.install", "accept", tasks)
    assert isinstance(person.ended, LinkRefused)
    assert "No space left" in person.ended.message
    assert person.record()[-2:] == [("hooks", "started", "yes"), ("hooks", "failed", "yes")]
    assert not person.path.exists()


async def test_codex_files_are_never_written(person: Person, tasks: Tasks, tmp_path: Path) -> None:
    config = tmp_path / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('notify = ["mine"]\n')
    await person.ask("hooks.install", "accept", tasks)
    assert {path.name: path.read_text() for path in config.parent.iterdir()} == {
        "config.toml": 'notify = ["mine"]\n'
    }


async def test_only_a_terminal_may_name_a_settings_file(person: Person, tasks: Tasks, tmp_path: Path) -> None:
    """On the page the answer is the same whether the file is there or not."""
    there, missing = tmp_path / "there.json", tmp_path / "missing.json"
    there.write_text("no JSON")
    surface = person.app.surfaces.connect(Origin(door="page"), workspace=str(tmp_path))
    page = Link(InProcessWire(surface, SurfaceClosed), lambda _method, _params: None)
    tasks.start("page", page.run())
    await page.initialize("test")
    for method in ("hooks.status", "hooks.install", "hooks.uninstall", "hooks.restore"):
        said = []
        for path in (there, missing, tmp_path):
            with pytest.raises(LinkRefused) as refused:
                await page.call(method, HooksParams(settings=str(path)))
            said.append((refused.value.code, refused.value.message))
        assert set(said) == {(NOT_ALLOWED, "settings: Only a terminal may name a file. Leave it empty.")}
    for settings in ("", str(person.path)):
        status = await page.call("hooks.status", HooksParams(settings=settings))
        assert (status.settings, status.state) == (str(person.path), "absent")
    status = await person.link.call("hooks.status", HooksParams(settings=str(missing)))
    assert status.settings == str(missing)


async def test_from_outside_nobody_can_install(person: Person) -> None:
    from bascule.core.consent.access import find_bar

    for method in ("hooks.install", "hooks.uninstall", "hooks.restore", "hooks.status"):
        assert find_bar(Origin(door="outside"), method) is not None
        assert find_bar(Origin(door="terminal", scope="look"), method) is not None
        assert find_bar(Origin(door="page"), method) is None
