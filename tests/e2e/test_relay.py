"""From the chat to the disk: an encrypted message, a relay, the bridge, a real Codex, a yes at the desk."""

import asyncio
import io
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp, Setup, open_setup
from tests.e2e.orders.given_orders import entries, until_session
from tests.e2e.test_edits_over_protocol import answer
from tests.patience import PATIENCE_S
from tests.relay.service import Service, open_service

from bascule.cli import main
from bascule.cli.remote.bridge import parse_code, read_code
from bascule.core.faults import UserError
from bascule.core.relay.replies import say_ask
from bascule.daemon.edits.edits import NOT_CONFIRMED
from bascule.host.config.bridge_file import BridgeFile
from bascule.host.machine import host_name
from bascule.model.asks import CommandSubject, FilesSubject
from bascule.model.consent.audit import Remote
from bascule.relay.storage.machine_steps import Revoke
from bascule.relay.storage.relay_store import RelayStore

pytestmark = pytest.mark.real


@asynccontextmanager
async def open_both(root: Path) -> AsyncIterator[tuple[Service, Setup, LiveApp]]:
    """A relay, and a daemon that joined it."""
    async with open_service(root, machine=host_name()) as service, open_setup(root) as setup:
        setup.write_settings(orders_workspaces=f'["kit={setup.project}"]')
        with setup.folder.settings.open("r+") as settings:
            before = settings.read()
            settings.seek(0)
            settings.write(f"reconnectMs = 100\n{before}")
        joined = await service.enroll(host_name())
        BridgeFile(setup.folder.root).write(joined)
        async with setup.run() as live:
            await until_status(live, "connected")
            yield service, setup, live


async def until_status(live: LiveApp, status: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await live.app.bridge.until(lambda state: (state.status if state else "off") == status)


async def test_a_patch_is_asked_for_in_the_chat_and_written_after_a_yes_at_the_desk(tmp_path: Path) -> None:
    async with open_both(tmp_path) as (service, setup, live):
        said = await service.say("@dev patch one more function")
        (name,) = re.findall(r"c_[0-9a-f]+", said)
        session = await until_session(live)
        ask = await live.until_ask(session)  # the agent wants to read a file
        assert isinstance(ask.subject, CommandSubject)
        assert ask.sender == Remote(user="ann", command_id=name, via="relay")
        assert await service.chat.next() == ("ann", say_ask(name, host_name(), 1, "en"))
        await answer(live, session, ask, "accept")
        user, text = await service.chat.next()
        assert user == "ann"
        (plan,) = re.findall(r"2 files, \+14 -1, plan ([0-9a-f]{12})\.", text)
        assert "def initials" not in (setup.project / "wordkit.py").read_text()

        for choice, end in (("decline", NOT_CONFIRMED), ("", f"plan {plan}")):
            said = await service.say(f"@dev apply {name}", number=1 if choice else 2)
            (apply,) = re.findall(r"c_[0-9a-f]+", said)
            ask = await live.until_ask(session)
            assert isinstance(ask.subject, FilesSubject)
            assert (ask.title, ask.plan[:12]) == ("Write these files?", plan)
            assert await service.chat.next() == ("ann", say_ask(apply, host_name(), 1, "en"))
            await answer(live, session, ask, choice or ask.choices[0].id)
            assert end in (await service.chat.next())[1]
            await service.forget_repeats()
        assert "def initials" in (setup.project / "wordkit.py").read_text()

        kept = [e for e in await entries(live) if e.kind in ("order", "apply") and isinstance(e.who, Remote)]
        assert [(e.kind, e.outcome) for e in kept] == [
            ("order", "done"),
            ("apply", "rejected"),
            ("order", "rejected"),
            ("apply", "done"),
            ("order", "done"),
        ]
    store = RelayStore(service.database)
    assert store.verify()[1] is None
    store.close()


async def test_the_bridge_comes_back_after_the_relay_and_ends_when_it_is_left(tmp_path: Path) -> None:
    async with open_both(tmp_path) as (service, setup, live):
        BridgeFile(setup.folder.root).remove()
        await until_status(live, "off")
        assert "not connected" in await service.say("@dev status")
        assert service.change(Revoke(machine=host_name(), now_ms=1))
        assert "was revoked, so this order ends here" in (await service.chat.next())[1]
        joined = await service.enroll(host_name())
        BridgeFile(setup.folder.root).write(joined)
        await until_status(live, "connected")
        await service.say("@dev status")
        user, text = await service.chat.next()
        assert (user, "sessions" in text) == ("ann", True)


async def test_a_machine_that_leaves_tells_the_relay_which_ends_its_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_both(tmp_path) as (service, setup, live):
        folder, machine = setup.folder.root, host_name()
        await service.say("@dev patch one more function")
        await live.until_ask(await until_session(live))
        assert "waiting for a yes" in (await service.chat.next())[1]
        monkeypatch.setenv("BASCULE_HOME", str(folder))
        assert await asyncio.to_thread(main, ["bridge", "leave"]) == 0
        assert capsys.readouterr().out == "Left the relay: no more orders come from it.\n"
        assert "left this relay, so this order ends here" in (await service.chat.next())[1]
        await until_status(live, "off")
        assert f"{machine} takes no more orders" in await service.say("@dev status")
        _, seen = await service.operate("GET", "/audit/recent")
        steps = [line["step"] for line in seen["items"] if line["machineId"] == machine]
        assert ("left" in steps, "revoked" in steps) == (True, False)
        BridgeFile(folder).write(await service.enroll(machine))  # the name is free
        await until_status(live, "connected")


async def test_who_leaves_a_relay_that_is_away_hears_that_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "relay").mkdir()
    async with open_service(tmp_path / "relay") as service:
        joined = await service.enroll("desk")
    async with open_setup(tmp_path) as setup:
        BridgeFile(setup.folder.root).write(joined)
        monkeypatch.setenv("BASCULE_HOME", str(setup.folder.root))
        assert await asyncio.to_thread(main, ["bridge", "leave"]) == 0
        said = capsys.readouterr().out
        assert "The relay doesn't know it yet: 127.0.0.1 cannot be reached" in said
        assert "Ask the person who runs it to revoke desk." in said
        assert BridgeFile(setup.folder.root).read() is None


def test_a_code_is_read_and_is_no_argument_that_others_could_see(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(" a-code \nand more\n"))
    assert read_code() == "a-code"
    with pytest.raises(SystemExit):
        main(["bridge", "join", "a-code"])
    assert "unrecognized arguments: a-code" in capsys.readouterr().err


@pytest.mark.parametrize("code", ["", "x", "e30", "A" * 3_000, "é"])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(UserError, match="That is not a code"):
        parse_code(code)
