"""A Codex session of a real terminal, joined in the page: answered, prompted and left."""

import os
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.e2e.codex_terminal import APPROVAL, READY, codex_terminal, let_ask
from tests.page.test_asks import button, cards, settle
from tests.page.test_home import card_of, go_home
from tests.page.viewer import ServedPage

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def asking_first(served: ServedPage) -> dict[str, str]:
    """The environment of a Codex that asks."""
    env = {**os.environ, **served.setup.env}
    let_ask(Path(env["CODEX_HOME"]), served.setup.project)
    return env


async def test_a_terminals_session_is_joined_answered_prompted_and_left(
    served: ServedPage, asking_first: dict[str, str]
) -> None:
    with codex_terminal(asking_first, served.setup.project) as terminal:
        async with served.viewer() as viewer:
            await terminal.until_on_screen(READY)
            await terminal.say("demo:approval")
            await terminal.until_on_screen(APPROVAL)
            await viewer.page.clock.install()
            await viewer.enter()
            await go_home(viewer)
            page = viewer.page
            card = card_of(viewer, "demo:approval")
            await expect(card).to_contain_text("Waiting for an approval")
            await card.get_by_role("button", name="demo:approval").click()
            watching = page.get_by_text("You're watching. Codex is running this session")
            await expect(watching).to_be_visible()
            await expect(viewer.log).to_contain_text("demo:approval")
            await expect(page.get_by_role("button", name="Yes, once")).to_have_count(0)
            await expect(page.get_by_role("heading", level=1)).to_have_text("demo:approval")
            await expect(page.get_by_role("button", name="Fork", exact=True)).to_be_visible()

            await page.get_by_role("button", name="Join", exact=True).click()
            await expect(page.get_by_text("You've joined this session.")).to_be_visible()
            rights = page.get_by_title("Set in the terminal that opened this session")
            await expect(rights).to_contain_text("Read only, asks for more")
            await expect(cards(viewer)).to_have_count(1)
            await settle(viewer)
            await button(cards(viewer), "Yes, once").click()
            await terminal.until_gone(APPROVAL)
            await terminal.until("You allowed it, and the module is compiled.")
            await expect(viewer.log).to_contain_text("You allowed it, and the module is compiled.")

            await page.get_by_role("textbox", name="Prompt").fill("demo:text")
            await page.keyboard.press("Enter")
            await terminal.until("Nothing crosses until someone")
            await expect(viewer.log).to_contain_text("Nothing crosses until someone")

            await page.get_by_role("button", name="Leave", exact=True).click()
            await expect(watching).to_be_visible()
            await expect(viewer.log).to_contain_text("Nothing crosses until someone")
            await expect(page.get_by_role("textbox", name="Prompt")).to_have_count(0)
            await terminal.say("demo:reasoning")
            await terminal.until("this is the answer that follows it")
            await expect(viewer.log).to_contain_text("this is the answer that follows it")


async def test_a_page_that_joined_goes_on_watching_when_another_page_leaves(
    served: ServedPage, asking_first: dict[str, str]
) -> None:
    with codex_terminal(asking_first, served.setup.project) as terminal:
        async with served.viewer() as first, served.viewer() as second:
            await terminal.until_on_screen(READY)
            await terminal.say("demo:text")
            await terminal.until("Nothing crosses until someone")
            for viewer in (first, second):
                await viewer.enter()
                await go_home(viewer)
                await viewer.shown.get_by_role("button", name="demo:text").click()
                await expect(viewer.page.get_by_text("You're watching")).to_be_visible()
            for viewer in (first, second):
                await viewer.page.get_by_role("button", name="Join", exact=True).click()
                await expect(viewer.page.get_by_text("You've joined this session.")).to_be_visible()
            await first.page.get_by_role("button", name="Leave", exact=True).click()
            for viewer in (first, second):
                await expect(viewer.page.get_by_text("You're watching")).to_be_visible()
                await expect(viewer.log).to_contain_text("Nothing crosses until someone")
                await expect(viewer.page.get_by_role("textbox", name="Prompt")).to_have_count(0)
