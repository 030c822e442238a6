"""A Codex session that a terminal shares, joined in the page: answered, prompted and left."""

import os
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.e2e.test_watch import DaemonTerminal, connected, shared_daemon
from tests.page.test_asks import button, cards, settle
from tests.page.test_home import card_of, go_home
from tests.page.viewer import Theatre

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_terminals_session_is_joined_answered_prompted_and_left(theatre: Theatre) -> None:
    async with (
        shared_daemon({**os.environ, **theatre.stage.env}) as path,
        connected(Path(path)) as socket,
        theatre.viewer() as viewer,
    ):
        terminal = DaemonTerminal(socket)
        thread = await terminal.begin(theatre.stage.project)
        await terminal.say(thread, "demo:approval")
        asked = await terminal.next_ask()
        await viewer.page.clock.install()
        await viewer.enter()
        await go_home(viewer)
        page = viewer.page
        card = card_of(viewer, "demo:approval")
        await expect(card).to_contain_text("an approval")
        await card.get_by_role("button", name="demo:approval").click()
        await expect(page.get_by_text("You're watching. Codex is running this session")).to_be_visible()
        await expect(viewer.log).to_contain_text("demo:approval")
        await expect(page.get_by_role("button", name="Yes, once")).to_have_count(0)

        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(page.get_by_text("You've joined this session.")).to_be_visible()
        await expect(cards(viewer)).to_have_count(1)
        await settle(viewer)
        await button(cards(viewer), "Yes, once").click()
        resolved = await terminal.hear("serverRequest/resolved")
        assert resolved["params"]["requestId"] == asked["id"]
        await terminal.hear("turn/completed")
        await expect(viewer.log).to_contain_text("You allowed it, and the module is compiled.")

        await page.get_by_role("textbox", name="Prompt").fill("demo:text")
        await page.keyboard.press("Enter")
        await terminal.hear("turn/completed")
        await expect(viewer.log).to_contain_text("Nothing crosses until someone")

        await page.get_by_role("button", name="Leave", exact=True).click()
        await expect(page.get_by_text("You're watching. Codex is running this session")).to_be_visible()
        await expect(viewer.log).to_contain_text("Nothing crosses until someone")
        await expect(page.get_by_role("textbox", name="Prompt")).to_have_count(0)
        await terminal.say(thread, "demo:reasoning")
        await terminal.hear("turn/completed")
        await expect(viewer.log).to_contain_text("this is the answer that follows it")
