"""The relay's whole way in a browser: from the chat, by a relay and a real Codex, to the desk and back."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import psutil
import pytest
from playwright.async_api import Browser, Page, expect
from tests.e2e.live_app import Setup
from tests.e2e.orders.given_orders import entries, until_session
from tests.page.listener import find_nameless, find_violations, load_axe
from tests.page.profiles import LISTEN
from tests.page.session_blocks import answer
from tests.page.test_asks import cards
from tests.page.viewer import Viewer
from tests.patience import PATIENCE_S
from tests.relay.service import open_service
from tests.relay.test_wecom_bot import wait_for_step

from bascule.core.relay.replies import say_ask
from bascule.daemon.edits.edits import NOT_CONFIRMED, UNANSWERED
from bascule.host.config.bridge_file import BridgeFile
from bascule.host.machine import host_name
from bascule.model.consent.audit import Remote

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session")]

PATCH = "@dev patch one more function"


async def open_page(browser: Browser, url: str) -> Page:
    page = await (await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")).new_page()
    await page.add_init_script(LISTEN)
    await load_axe(page)
    await page.goto(url)
    return page


async def test_the_demo_from_a_chat_in_the_browser_to_the_desk_and_back(
    tmp_path: Path, browser: Browser
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bascule", "relay", "--demo"),
        env={**os.environ, "BASCULE_HOME": str(home)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert running.stdout is not None
    try:
        links = [(await running.stdout.readline()).decode() for _ in range(3)]
        chat_url, desk_url, _ = (re.findall(r"http://\S+", link)[0] for link in links)
        children = psutil.Process(running.pid).children(recursive=True)
        chat, desk = await open_page(browser, chat_url), await open_page(browser, desk_url)
        await use_chat(chat, desk)
        assert "def initials" in (home / "demo" / "project" / "wordkit.py").read_text()
        await expect(chat).to_have_url(re.compile(r"/chat/$"))  # the token is not in it
        stranger = await open_page(browser, chat.url)
        await expect(stranger.get_by_text("Open the link that the terminal shows.")).to_be_visible()
        children += psutil.Process(running.pid).children(recursive=True)
        running.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            assert await running.wait() == 0
        await expect(chat.get_by_role("alert")).to_contain_text("It may have ended.")
        for page in (chat, desk, stranger):
            assert await page.evaluate("window.refused") == []
            await page.context.close()
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()
    assert not [one for one in children if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
    assert BridgeFile(home / "demo").read() is None


async def use_chat(chat: Page, desk: Page) -> None:
    said = chat.get_by_role("listitem")
    await chat.get_by_role("button", name="@dev help").click()
    await expect(said.last).to_contain_text("@dev apply ID")
    await say(chat, "@dev patch <img src=x onerror=alert(1)>\u202e one more function")
    await expect(said.nth(2)).to_contain_text("<img src=x onerror=alert(1)>")
    card = desk.get_by_role("region", name="Waiting for your answer").get_by_role("article")
    await desk.get_by_role("option", name="Orders of ann").click()
    await expect(said.last).to_contain_text("is waiting for a yes at")
    await answer(card, "Yes, once")
    await expect(said.last).to_contain_text("Done")
    told = await said.last.inner_text()
    name = re.findall(r"c_[0-9a-f]+", told)[0]
    (plan,) = re.findall(r"plan ([0-9a-f]{12})", told)
    assert await find_violations(chat) == []
    assert await find_nameless(chat) == []
    await say(chat, f"@dev apply {name}")
    await expect(said.last).to_contain_text("is waiting for a yes at")
    await expect(card).to_contain_text(plan)
    await answer(card, "Yes, exactly this")
    await expect(said.last).to_contain_text("Done")
    await say(chat, "@dev test")
    await expect(card).to_contain_text("python3 -m unittest -q")
    await answer(card, "Yes, run it")
    await expect(said.last).to_contain_text("Done")


async def say(chat: Page, text: str) -> None:
    field = chat.get_by_role("textbox", name="Message")
    await field.fill(text)
    await field.press("Enter")
    await expect(field).to_have_value("")


def wait(setup: Setup, seconds: int) -> None:
    """So long for an answer at the desk."""
    setup.write_settings(orders_workspaces=f'["kit={setup.project}"]\nanswerSeconds = {seconds}')


async def test_yes_no_and_silence_at_the_desk_are_told_in_the_chat_and_kept_in_both_records(
    tmp_path: Path, viewer: Viewer
) -> None:
    setup = viewer.setup
    wait(setup, 900)
    async with open_service(tmp_path, machine=host_name()) as service:
        BridgeFile(setup.folder.root).write(await service.enroll(host_name()))
        (patch,) = re.findall(r"c_[0-9a-f]+", await service.say(PATCH))
        await viewer.enter(await until_session(viewer.live))
        assert await service.chat.next() == ("ann", say_ask(patch, host_name(), 1, "en"))
        await answer(cards(viewer), "Yes, once")
        user, text = await service.chat.next()
        (plan,) = re.findall(r"2 files, \+14 -1, plan ([0-9a-f]{12})\.", text)
        assert (user, "def initials" in text) == ("ann", False)
        answers = {"No": NOT_CONFIRMED, "": UNANSWERED, "Yes, exactly this": f"plan {plan}"}
        for choice, end in answers.items():
            wait(setup, 900 if choice else 5)
            await service.forget_repeats()
            said = await service.say(f"@dev apply {patch}")
            assert "somebody there has to confirm it" in said
            assert "is waiting for a yes at" in (await service.chat.next())[1]
            if choice:
                await expect(cards(viewer)).to_contain_text(plan)
                assert "def initials" not in (setup.project / "wordkit.py").read_text()
                await answer(cards(viewer), choice)
            assert end in (await service.chat.next())[1]
        assert "def initials" in (setup.project / "wordkit.py").read_text()

        kept = [
            (e.outcome, e.who.command_id)
            for e in await entries(viewer.live)
            if e.kind == "order" and isinstance(e.who, Remote)
        ]
        assert [end for end, _ in kept] == ["done", "rejected", "rejected", "done"]
        await wait_for_step(service, kept[-1][1], "reported")
        _, trail = await service.operate("GET", "/audit/recent")
        steps: dict[str, list[str]] = {}
        for line in reversed(trail["items"]):
            steps.setdefault(line["commandId"], []).append(f"{line['step']} {line['status']}".strip())
        ends = ["outcome ok", "outcome rejected", "outcome rejected", "outcome ok"]
        waited = ["asking", "ask sent", "goes on"]
        assert list(steps.values())[-4:] == [["created", "taken", *waited, end, "reported"] for end in ends]
        BridgeFile(setup.folder.root).remove()
