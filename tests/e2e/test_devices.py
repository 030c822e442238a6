"""Devices over a real TLS door: enrolled here, proved there, and their yes counts where a setting says so."""

import asyncio
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.e2e.live_app import LiveApp, Setup, open_setup
from tests.e2e.peer import Peer, Refusal
from tests.outside import Key, dialled_outside, make_outside
from tests.patience import PATIENCE_S

from bascule.client.in_process import InProcessWire
from bascule.core.wire.rpc import FAILED, NOT_ALLOWED
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Entry, Local, Outside
from bascule.model.consent.origin import Origin
from bascule.model.ids import SessionId
from bascule.serve.serving import serving

pytestmark = pytest.mark.real


class InsideWire(InProcessWire):
    async def close(self) -> None:
        pass


class Scene:
    """A daemon with an outer door, and somebody at the machine."""

    def __init__(self, live: LiveApp, setup: Setup, outside: Any, tasks: Tasks) -> None:
        self.live, self.app, self.setup, self.tasks = live, live.app, setup, tasks
        self.outside = outside
        door = live.app.doors.find("outside")
        assert door is not None
        self.host = urlsplit(door.url).netloc
        surface = self.app.surfaces.connect(Origin(door="terminal"), workspace=str(setup.project))
        self.here = Peer(InsideWire(surface, SurfaceClosed), tasks)

    @asynccontextmanager
    async def phone(self, headers: dict[str, str] | None = None) -> AsyncIterator[Peer]:
        async with dialled_outside(self.outside, self.host, self.tasks, headers) as peer:
            yield await peer.initialize(supports_session_sync=True)

    async def enrol(self, phone: Peer, key: Key, name: str = "Phone", choice: int = 0) -> Any:
        invited = await self.here.call("device.invite", {"name": name})
        offered = await phone.begin("device.offer", key.offer(self.host, invited["code"]))
        ask = await self.open_ask(invited["session_id"])
        await self.here.call("ask.answer", yes_to(ask, choice))
        return await phone.result(offered)

    async def open_ask(self, session: str) -> Any:
        ask = await self.live.until_ask(SessionId(session))
        asks = (await self.here.call("ask.list"))["asks"]
        return next(one for one in asks if one["ask"]["id"] == ask.id)

    async def prove(self, phone: Peer, key: Key, device: str, host: str = "") -> Any:
        nonce = (await phone.call("device.challenge"))["nonce"]
        return await phone.call("device.prove", key.proof(host or self.host, device, nonce))

    async def prompt(self, text: str) -> Any:
        """The Ask that it leads to."""
        session = (await self.here.call("session.create"))["session_id"]
        run = {"input": {"type": "text", "text": text}, "session_id": session}
        await self.here.begin("run.start", run)
        return await self.open_ask(session)

    def allow(self, *kinds: str) -> None:
        shown = ", ".join(f'"{kind}"' for kind in kinds)
        file = self.setup.folder.settings
        file.write_text(f"{file.read_text()}\n[devices]\nanswers = [{shown}]\n")

    async def entries(self, kind: str) -> list[Entry]:
        await self.app.record.written()
        lines = Audit(audit_in(self.setup.folder.root)).last(100)
        return [line.entry for line in lines if line.entry.kind == kind]


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    outside = make_outside(tmp_path)
    async with (
        open_setup(tmp_path) as setup,
        setup.run() as live,
        serving(live.app, setup.folder, outside=outside),
        Tasks() as tasks,
    ):
        scene = Scene(live, setup, outside, tasks)
        await scene.here.initialize(supports_session_sync=True)
        yield scene


def yes_to(ask: Any, choice: int = 0) -> dict[str, Any]:
    shown = ask["ask"]
    return {
        "session_id": ask["session_id"],
        "ask_id": shown["id"],
        "choice": shown["choices"][choice]["id"],
    }


async def test_from_outside_one_can_look_and_not_answer_or_manage(scene: Scene) -> None:
    ask = await scene.prompt("demo:approval")
    async with scene.phone() as phone:
        assert phone.welcome["access"] == {"door": "outside", "may": ["ask", "look"]}
        assert (await phone.call("ask.list"))["asks"][0] == ask
        refused = await phone.refused("ask.answer", yes_to(ask))
        assert (refused.code, "enrolled device" in refused.message) == (NOT_ALLOWED, True)
        loosen = {"key": "bascule.devices.answers", "value": ["command"]}
        assert (await phone.refused("settings.set", loosen)).code == NOT_ALLOWED
        for method in ("device.list", "device.invite", "device.revoke", "device.link"):
            assert (await phone.refused(method, {"name": "x"})).code == NOT_ALLOWED
    assert await scene.open_ask(ask["session_id"]) == ask


async def test_a_device_is_enrolled_by_a_yes_here_and_then_proves_itself(scene: Scene) -> None:
    key = Key()
    async with scene.phone() as phone:
        device = await scene.enrol(phone, key)
        assert (
            await phone.refused("ask.answer", {"session_id": "s", "ask_id": "a", "choice": "c"})
        ).code == (
            NOT_ALLOWED  # enrolled is not yet proved
        )
        access = await scene.prove(phone, key, device["device_id"])
        assert access == {
            "door": "outside",
            "may": ["answer", "ask", "look"],
            "device": device["device_id"],
            "device_name": "Phone",
        }
        listed = await scene.here.call("device.list")
        assert listed["devices"][0]["connected"] == 1
        assert listed["devices"][0]["fingerprint"] == device["fingerprint"]
    file = scene.setup.folder.root / "devices.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    invited, enrolled = await scene.entries("device")
    assert (invited.asked, enrolled.answer, enrolled.lasts) == ("Invite the device Phone", "yes", "always")
    assert enrolled.asked == f"Enrol the device Phone, key {device['fingerprint']}"
    assert isinstance(enrolled.who, Outside)
    assert isinstance(enrolled.answered_by, Local)
    assert enrolled.answered_by.surface == "terminal"
    (asked,) = await scene.entries("ask")
    assert (asked.answer, device["fingerprint"] in asked.asked) == ("yes", True)


async def test_a_no_here_enrols_nothing(scene: Scene) -> None:
    async with scene.phone() as phone:
        with pytest.raises(Refusal, match="said no"):
            await scene.enrol(phone, Key(), choice=1)
    assert (await scene.here.call("device.list")).get("devices", []) == []


async def test_its_yes_counts_for_the_kinds_that_the_setting_names_and_a_no_always(scene: Scene) -> None:
    key = Key()
    async with scene.phone() as phone:
        device = await scene.enrol(phone, key)
        await scene.prove(phone, key, device["device_id"])
        ask = await scene.prompt("demo:approval")
        refused = await phone.refused("ask.answer", yes_to(ask))
        assert refused.message == (
            "A yes to this is given at the machine. From a device a no counts, and a yes to: nothing."
        )
        scene.allow("command")
        lasting = [choice for choice in ask["ask"]["choices"] if choice.get("rule")]
        given = {**yes_to(ask), "choice": lasting[0]["id"]}
        assert "A yes that lasts" in (await phone.refused("ask.answer", given)).message
        await phone.call("ask.answer", yes_to(ask))
        answered = (await scene.entries("ask"))[-1]
        assert answered.answer == "yes"
        assert answered.who == Outside(
            credential="bearer",
            device=device["device_id"],
            device_name="Phone",
            client=phone.welcome["surface_id"],
        )
        files = await scene.prompt("demo:edit")
        assert files["ask"]["subject"]["about"] == "files"
        assert "a yes to: command" in (await phone.refused("ask.answer", yes_to(files))).message
        no = next(i for i, choice in enumerate(files["ask"]["choices"]) if not choice["grants"])
        await phone.call("ask.answer", yes_to(files, no))
        assert (await scene.entries("ask"))[-1].answer == "no"


async def test_a_device_never_enrols_another(scene: Scene) -> None:
    scene.allow("command", "files", "permissions", "questions")
    key = Key()
    async with scene.phone() as phone, scene.phone() as stranger:
        device = await scene.enrol(phone, key)
        await scene.prove(phone, key, device["device_id"])
        invited = await scene.here.call("device.invite", {"name": "Other"})
        await stranger.begin("device.offer", Key().offer(scene.host, invited["code"]))
        ask = await scene.open_ask(invited["session_id"])
        assert "asked for from another machine" in (await phone.refused("ask.answer", yes_to(ask))).message


async def test_wrong_old_foreign_and_repeated_proofs_are_refused_and_on_record(scene: Scene) -> None:
    key = Key()
    async with scene.phone() as phone:
        device = (await scene.enrol(phone, key))["device_id"]
    before = len(await scene.entries("device"))
    async with scene.phone() as phone, scene.phone() as other:
        nonce = (await phone.call("device.challenge"))["nonce"]
        proof = key.proof(scene.host, device, nonce)
        await other.call("device.challenge")
        assert (await other.refused("device.prove", proof)).code == FAILED  # another connection's nonce
        await phone.call("device.prove", proof)
        assert "device.challenge first" in (await phone.refused("device.prove", proof)).message  # again
    async with scene.phone() as phone:
        for sign in (Key(), key):  # another's key; our key for another server
            nonce = (await phone.call("device.challenge"))["nonce"]
            host = scene.host if sign is not key else "evil.test:443"
            refused = await phone.refused("device.prove", sign.proof(host, device, nonce))
            assert "does not prove" in refused.message
        nonce = (await phone.call("device.challenge"))["nonce"]
        await phone.begin("device.prove", key.proof(scene.host, "device-00", nonce))
        await phone.ended()  # the third wrong one
    refused_ones = (await scene.entries("device"))[before:]
    assert [(entry.outcome, type(entry.who)) for entry in refused_ones] == [("refused", Outside)] * 5


async def test_revoking_closes_what_is_open_and_the_device_does_not_come_back(scene: Scene) -> None:
    key = Key()
    scene.allow("command")
    async with scene.phone() as phone:
        device = (await scene.enrol(phone, key))["device_id"]
        await scene.prove(phone, key, device)
        async with asyncio.timeout(PATIENCE_S):
            assert await scene.here.call("device.revoke", {"name": "phone"}) == {
                "what": "the device Phone",
                "closed": 1,
            }
            await phone.ended()
    async with scene.phone() as phone:
        with pytest.raises(Refusal, match="does not prove"):
            await scene.prove(phone, key, device)
    revoked = (await scene.entries("device"))[-2]
    assert (revoked.asked.startswith("Revoke the device Phone"), revoked.ref) == (True, device)


async def test_codes_open_once_and_are_not_guessed(scene: Scene) -> None:
    invited = await scene.here.call("device.invite", {"name": "Phone"})
    waiting = await scene.here.begin("device.wait", {"code": invited["code"]})
    for _ in range(4):
        async with scene.phone() as phone:
            for _ in range(2):
                refused = await phone.refused("device.offer", Key().offer(scene.host, "AAAAAAAA"))
                assert "not valid" in refused.message
            await phone.begin("device.offer", Key().offer(scene.host, "AAAAAAAA"))
            await phone.ended()
    with pytest.raises(Refusal, match="Too many wrong codes"):
        await scene.here.result(waiting)


async def test_a_plain_client_outside_is_not_asked(scene: Scene) -> None:
    """It would get events and put a dialog: its yes would have come without `ask.answer`."""
    async with dialled_outside(scene.outside, scene.host, scene.tasks) as plain:
        await plain.initialize(supports_confirm=True)
        session = (await scene.here.call("session.create"))["session_id"]
        run = await plain.start("demo:approval", session_id=session)
        await scene.open_ask(session)
        await plain.in_step()
        assert [one for one in plain.heard if one.get("method") == "ui.confirm.request"] == []
        await scene.here.call("session.interrupt", {"session_id": session})
        await plain.finish(run)


async def test_a_corrupt_file_counts_for_nobody(scene: Scene) -> None:
    key = Key()
    async with scene.phone() as phone:
        device = (await scene.enrol(phone, key))["device_id"]
        file = scene.setup.folder.root / "devices.json"
        file.write_text(file.read_text()[:-5])
        with pytest.raises(Refusal, match=r"No device is accepted: .*devices\.json"):
            await scene.prove(phone, key, device)
    assert "Fix it" in (await scene.here.refused("device.list")).message
