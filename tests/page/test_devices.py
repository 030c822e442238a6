"""The page over the outer door, in a real browser: it looks, enrols its device, and then answers."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.e2e.live_app import LiveApp, Setup, open_setup
from tests.e2e.peer import Peer
from tests.outside import make_outside
from tests.page.profiles import LISTEN, PATIENCE_MS
from tests.page.viewer import show_session

from bascule.client.in_process import InProcessWire
from bascule.core.consent.access import RULES
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Outside
from bascule.model.consent.origin import Origin
from bascule.model.ids import SessionId
from bascule.serve.serving import serving

SETTLE_MS = 400  # an answer given sooner than this after a card has come is not meant

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session")]


class InsideWire(InProcessWire):
    async def close(self) -> None:
        pass


class Scene:
    def __init__(self, browser: Browser, setup: Setup, live: LiveApp, here: Peer) -> None:
        self.browser, self.setup, self.live, self.here = browser, setup, live, here

    @asynccontextmanager
    async def phone(self) -> AsyncIterator[Page]:
        """A profile of its own, as a phone has it; the certificate was accepted by hand."""
        context = await self.browser.new_context(
            viewport={"width": 390, "height": 844}, ignore_https_errors=True
        )
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        await page.add_init_script(LISTEN)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        yield page
        refused = await page.evaluate("window.refused")
        await context.close()
        assert faults + refused == []

    async def ask(self) -> SessionId:
        session = await self.live.begin()
        self.live.say(session, "demo:approval")
        await self.live.until_ask(session)
        return session

    async def show(self, page: Page, session: SessionId) -> None:
        await show_session(page, session)

    def allow(self, kind: str) -> None:
        file = self.setup.folder.settings
        file.write_text(f'{file.read_text()}\n[devices]\nanswers = ["{kind}"]\n')


@pytest_asyncio.fixture(loop_scope="session")
async def scene(browser: Browser, tmp_path: Path) -> AsyncIterator[Scene]:
    async with (
        open_setup(tmp_path) as setup,
        setup.run() as live,
        serving(live.app, setup.folder, outside=make_outside(tmp_path)),
        Tasks() as tasks,
    ):
        surface = live.app.surfaces.connect(Origin(door="terminal"), workspace=str(setup.project))
        here = Peer(InsideWire(surface, SurfaceClosed), tasks)
        await here.initialize(supports_session_sync=True)
        yield Scene(browser, setup, live, here)


async def test_a_phone_looks_then_is_enrolled_and_answers(scene: Scene) -> None:
    session = await scene.ask()
    link = (await scene.here.call("device.link"))["link"]
    async with scene.phone() as page:
        await page.goto(link)
        await scene.show(page, session)
        card = page.get_by_role("region", name="Waiting for your answer")
        await expect(card.get_by_text("View only. Answer on the machine running Bascule")).to_be_visible()
        await expect(card.get_by_role("button", name=re.compile("Yes|No"))).to_have_count(0)

        scene.allow("command")
        invited = await scene.here.call("device.invite", {"name": "Phone"})
        await card.get_by_role("button", name="Enrol this device…").click()
        dialog = page.get_by_role("dialog", name="Enrol this device")
        await dialog.get_by_label("Code").fill(invited["code"].lower())
        await dialog.get_by_role("button", name="Enrol").click()
        shown = await dialog.locator("code").inner_text()
        ask = await scene.live.until_ask(SessionId(invited["session_id"]))
        assert ask.subject.fingerprint == shown  # type: ignore[union-attr]
        yes = {"session_id": invited["session_id"], "ask_id": ask.id, "choice": ask.choices[0].id}
        await scene.here.call("ask.answer", yes)
        await expect(dialog.get_by_text("This device is enrolled as Phone.")).to_be_visible()
        await expect(dialog.get_by_text("It can approve: commands.")).to_be_visible()
        await dialog.get_by_role("button", name="Close").last.click()

        await page.clock.install()
        await page.reload()  # the key is kept, and proves itself again
        await scene.show(page, session)
        buttons = card.get_by_role("button")
        await expect(buttons.first).to_have_text(re.compile("^Yes"))
        await expect(card.get_by_text(re.compile("begin with"))).to_have_count(0)  # a lasting yes
        await page.clock.run_for(SETTLE_MS + 100)
        await buttons.first.click()
        await scene.live.until_idle(session)
    answered = [line.entry for line in Audit(audit_in(scene.setup.folder.root)).last(5)]
    given = next(entry for entry in answered if entry.kind == "ask" and isinstance(entry.who, Outside))
    assert (given.answer, getattr(given.who, "device_name", "")) == ("yes", "Phone")


async def test_the_link_of_an_invitation_enrols_by_itself_and_its_code_leaves_the_address(
    scene: Scene,
) -> None:
    session = await scene.ask()
    invited = await scene.here.call("device.invite", {"name": "Tablet"})
    async with scene.phone() as page:
        await page.goto(invited["link"])
        dialog = page.get_by_role("dialog", name="Enrol this device")
        await expect(dialog.get_by_text("Waiting for an answer on that machine")).to_be_visible()
        assert "enrol" not in page.url
        ask = await scene.live.until_ask(SessionId(invited["session_id"]))
        yes = {"session_id": invited["session_id"], "ask_id": ask.id, "choice": ask.choices[0].id}
        await scene.here.call("ask.answer", yes)
        await expect(dialog.get_by_text("This device is enrolled as Tablet.")).to_be_visible()
        await dialog.get_by_role("button", name="Close").last.click()
        await scene.show(page, session)
        card = page.get_by_role("region", name="Waiting for your answer")
        await expect(card.get_by_text("This can only be approved on the machine")).to_be_visible()

        await scene.here.call("device.revoke", {"name": "Tablet"})
        await expect(page.locator("body")).to_have_attribute("data-connection", "lost")


async def test_a_page_that_may_only_look_offers_nothing_else_and_sends_nothing_else(scene: Scene) -> None:
    session = await scene.ask()
    link = (await scene.here.call("device.link", {"scope": "look"}))["link"]
    sent: list[str] = []
    async with scene.phone() as page:
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
        await page.goto(link)
        await scene.show(page, session)
        note = page.get_by_role("note").filter(has_text="From here you can view, but not change anything.")
        await expect(note).to_have_count(1)
        await expect(page.get_by_role("log").get_by_role("article").first).to_be_visible()
        await expect(page.get_by_role("textbox", name="Prompt to the agent")).to_have_count(0)
        for name in ("New", "Stop", "Queue", "Take over", "Fork here"):
            await expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
        await page.keyboard.press("Alt+n")
        await page.get_by_role("button", name="Settings", exact=True).click()
        dialog = page.get_by_role("dialog", name="Settings")
        await expect(dialog.get_by_role("checkbox", name="Run tests and commands")).to_be_disabled()
        await expect(page.get_by_text("This connection is for looking only.")).to_have_count(0)
    methods = {json.loads(frame)["method"] for frame in sent if frame.startswith("{")}
    assert {method for method in methods if RULES[method].need != "look"} == set()
    assert "session.watch" in methods
