"""Addresses: a session and a block have a link, Back and Forward work, and a bookmark finds a folder."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.page.session_blocks import at, put
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import AssistantBlock
from bascule.model.ids import BlockId, SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def begin_named(viewer: Viewer, title: str) -> SessionId:
    session = await viewer.live.create()
    await viewer.live.app.sessions.rename(session, title)
    return session


# An entry of the history goes in the browser's own time.
LEFT_OPEN = """(count) => new Promise((done) => {
  const look = () =>
    (history.state?.open ?? 0) === count ? done() : addEventListener("popstate", look, { once: true });
  look();
})"""


async def expect_shown(viewer: Viewer, title: str) -> None:
    await expect(viewer.page.get_by_role("heading", name=title, level=1)).to_be_visible()


async def test_back_and_forward_lead_through_what_was_shown(viewer: Viewer) -> None:
    first, second = await begin_named(viewer, "The first"), await begin_named(viewer, "The second")
    await viewer.enter(first)
    await viewer.show(second)
    await viewer.page.get_by_role("button", name="Home", exact=True).click()
    await expect_shown(viewer, "Home")
    await viewer.page.go_back()
    await expect_shown(viewer, "The second")
    assert viewer.page.url.endswith(f"#/s/{second}")
    await viewer.page.go_back()
    await expect_shown(viewer, "The first")
    await viewer.page.reload()
    await expect_shown(viewer, "The first")
    await viewer.page.go_forward()
    await expect_shown(viewer, "The second")
    await viewer.page.go_forward()
    await expect_shown(viewer, "Home")


async def test_back_closes_what_is_open_before_it_leaves_the_session(viewer: Viewer) -> None:
    first, second = await begin_named(viewer, "The first"), await begin_named(viewer, "The second")
    await viewer.enter(first)
    await viewer.show(second)
    await viewer.live.play(second, "demo:edit")
    page = viewer.page
    settings = page.get_by_role("dialog", name="Settings")

    async def open_both() -> None:
        await viewer.log.locator(".blocks-end").get_by_role("button", name="Review").click()
        await expect(viewer.pane).to_be_visible()
        await page.get_by_role("button", name="Settings", exact=True).click()
        await expect(settings).to_be_visible()

    await open_both()
    await page.go_back()
    await expect(settings).to_have_count(0)
    await expect(viewer.pane).to_be_visible()
    await page.go_back()
    await expect(viewer.pane).to_have_count(0)
    await expect_shown(viewer, "The second")
    await page.go_back()
    await expect_shown(viewer, "The first")
    await page.go_forward()
    await expect_shown(viewer, "The second")

    await open_both()  # closed by hand, they leave nothing behind
    await page.keyboard.press("Escape")
    await expect(settings).to_have_count(0)
    await page.evaluate(LEFT_OPEN, 1)
    await viewer.pane.get_by_role("button", name="Close").click()
    await page.evaluate(LEFT_OPEN, 0)
    await page.go_back()
    await expect_shown(viewer, "The first")

    await page.go_forward()
    await expect_shown(viewer, "The second")
    await open_both()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Home", exact=True).click()  # the pane goes with its session
    await expect_shown(viewer, "Home")
    await page.go_back()
    await expect_shown(viewer, "The second")
    await expect(viewer.pane).to_have_count(0)


async def test_a_link_leads_to_its_session_and_to_its_block(served: ServedPage) -> None:
    async with served.viewer(permissions=["clipboard-read", "clipboard-write"]) as viewer:
        session, other = await begin_named(viewer, "The linked"), await begin_named(viewer, "The other")
        put(
            viewer,
            session,
            *(
                AssistantBlock(
                    id=BlockId(f"b{n}"), text=f"answer {n}\n\n" + "words " * 60, status="completed"
                )
                for n in range(80)
            ),
        )
        await viewer.enter(session)
        await expect(at(viewer, "b79")).to_be_in_viewport()
        await viewer.log.focus()
        await viewer.page.keyboard.press("Home")
        await at(viewer, "b1").hover()
        await at(viewer, "b1").get_by_role("button", name="Copy link").click()
        link: str = await viewer.page.evaluate("navigator.clipboard.readText()")
        assert link.endswith(f"#/s/{session}/b1")

        await viewer.show(other)
        await viewer.page.evaluate("(link) => { location.href = link; }", link)
        await expect_shown(viewer, "The linked")
        await expect(at(viewer, "b1")).to_be_in_viewport()
        tab = await viewer.page.context.new_page()  # as from a bookmark
        await tab.goto(link)
        await expect(tab.locator('[data-block="b1"]')).to_be_in_viewport()
        await tab.goto("about:blank")
        await tab.goto(link.replace(session, "s_nowhere"))
        missing = tab.get_by_role("region", name="This session doesn't exist here.")
        await missing.get_by_role("button", name="Go to Home").click()
        await expect(tab.get_by_role("heading", name="Home", level=1)).to_be_visible()
        await expect(tab.get_by_role("alert")).to_be_empty()


async def test_a_page_opened_by_its_address_starts_sessions_in_the_folder_it_knows(viewer: Viewer) -> None:
    await viewer.enter(await begin_named(viewer, "Before"))
    tab = await viewer.page.context.new_page()
    await tab.goto(re.sub("#.*", "", viewer.page.url))
    await expect(tab.locator("body")).to_have_attribute("data-connection", "open")
    count = len(viewer.live.app.hub.heads())
    await tab.get_by_role("button", name="New", exact=True).click()
    await expect(tab.get_by_role("textbox", name="Prompt to the agent")).to_be_focused()
    heads = viewer.live.app.hub.heads()
    assert len(heads) == count + 1
    assert {head.workspace for head in heads} == {str(viewer.setup.project)}


async def test_a_link_opens_what_belongs_to_the_folder_it_was_made_in(viewer: Viewer, tmp_path: Path) -> None:
    """As `bascule up` does: the folder's own latest session, or a new one where it has none."""
    ferry, lock = tmp_path / "ferry", tmp_path / "lock"
    ferry.mkdir()
    lock.mkdir()
    here = await viewer.live.create()
    there = await viewer.live.create(ferry)
    await viewer.enter()
    await expect(viewer.shown).to_have_attribute("data-session", here)
    await viewer.page.goto(viewer.doors.new_link(str(ferry)))
    await expect(viewer.shown).to_have_attribute("data-session", there)
    await viewer.page.reload()
    await expect(viewer.shown).to_have_attribute("data-session", there)
    await viewer.page.goto(viewer.doors.new_link(str(lock)))
    details = viewer.page.get_by_role("region", name="Session details")
    await expect(details.get_by_role("button", name="Folder lock")).to_be_visible()
    await viewer.page.goto(viewer.doors.new_link(str(lock)))  # again: it has one now
    await expect(details.get_by_role("button", name="Folder lock")).to_be_visible()
    assert len([head for head in viewer.live.app.hub.heads() if head.workspace == str(lock)]) == 1
