"""Notifications: asked for by a button only, shown when nobody looks, a click goes to the session."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import expect
from tests.e2e.live_app import choose
from tests.page.viewer import ServedPage, Viewer

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Only what would be shown by the system, and what it answers, is recorded here.
RECORD = """
window.notified = [];
window.asked = 0;
window.Notification = class {
  static permission = PERMISSION;
  static async requestPermission() { window.asked += 1; return (this.permission = ANSWER); }
  constructor(title, options) { Object.assign(this, { title, ...options }); window.notified.push(this); }
  close() { this.closed = true; }
};
"""


@asynccontextmanager
async def recorded(
    served: ServedPage, permission: str = "granted", answer: str = "granted"
) -> AsyncIterator[Viewer]:
    async with served.viewer(permissions=["notifications"] if permission == "granted" else []) as viewer:
        script = RECORD.replace("PERMISSION", f'"{permission}"').replace("ANSWER", f'"{answer}"')
        await viewer.page.add_init_script(script)
        yield viewer


async def look_away(viewer: Viewer) -> None:
    """Chromium without a window keeps every page in focus until it is asked not to."""
    wire = await viewer.page.context.new_cdp_session(viewer.page)
    await wire.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    window = await wire.send("Browser.getWindowForTarget")
    bounds = {"windowState": "minimized"}
    await wire.send("Browser.setWindowBounds", {"windowId": window["windowId"], "bounds": bounds})
    await viewer.page.wait_for_function("!document.hasFocus()")


async def notified(viewer: Viewer, count: int) -> list[dict[str, Any]]:
    await viewer.page.wait_for_function("(count) => window.notified.length >= count", arg=count)
    all_: list[dict[str, Any]] = await viewer.page.evaluate("window.notified.map((one) => ({...one}))")
    return all_


async def test_nothing_is_asked_before_the_button_is_pressed(served: ServedPage) -> None:
    async with recorded(served, "default") as viewer:
        session = await viewer.create()
        await viewer.live.play(session, "demo:search")
        await expect(viewer.log).to_contain_text("That is how a web search shows")
        assert await viewer.page.evaluate("window.asked") == 0
        button = viewer.page.get_by_role("button", name="Notify me when a session needs me")
        await button.click()
        await expect(button).to_have_count(0)
        assert await viewer.page.evaluate("window.asked") == 1
        said = viewer.page.get_by_role("region", name="Messages")
        await expect(said).to_contain_text("You'll be notified when this page is in the background.")


async def test_what_is_allowed_in_the_settings_is_not_asked_for_again(served: ServedPage) -> None:
    async with recorded(served, "default") as viewer:
        await viewer.create()
        button = viewer.page.get_by_role("button", name="Notify me when a session needs me")
        await expect(button).to_be_visible()
        await viewer.page.get_by_role("button", name="Settings", exact=True).click()
        await viewer.page.get_by_role("button", name="Allow notifications").click()
        await viewer.page.keyboard.press("Escape")
        await expect(button).to_have_count(0)


async def test_a_no_is_taken_and_says_how_to_change_it(served: ServedPage) -> None:
    async with recorded(served, "default", "denied") as viewer:
        await viewer.create()
        await viewer.page.get_by_role("button", name="Notify me when a session needs me").click()
        said = viewer.page.get_by_role("region", name="Messages")
        await expect(said).to_contain_text("Allow them for this page in the browser's settings.")
        await viewer.page.get_by_role("button", name="Settings", exact=True).click()
        settings = viewer.page.get_by_role("dialog", name="Settings")
        await expect(settings).to_contain_text("The browser blocks notifications for this page.")


async def test_who_looks_elsewhere_is_notified_who_needs_them_and_who_is_done_and_a_click_goes_there(
    served: ServedPage,
) -> None:
    async with recorded(served) as viewer:
        asking = await viewer.live.create()
        await viewer.live.app.sessions.rename(asking, "Compile")
        looked_at = await viewer.create()
        await look_away(viewer)
        viewer.live.say(asking, "demo:approval")
        (needs,) = await notified(viewer, 1)
        assert (needs["title"], needs["body"]) == ("Compile is waiting for you", "wordkit")
        assert needs["tag"] == f"bascule:{asking}"  # the next one of the session takes its place
        await viewer.live.finish(asking, choose("accept"))
        done = (await notified(viewer, 2))[1]
        assert (done["title"], done["tag"]) == ("Compile is done", needs["tag"])

        chosen = viewer.shown
        await expect(chosen).to_have_attribute("data-session", looked_at)
        await viewer.page.evaluate("window.notified[0].onclick()")
        await expect(chosen).to_have_attribute("data-session", asking)
        await expect(viewer.log).to_contain_text("the module is compiled")
        assert await viewer.page.evaluate("window.notified[0].closed") is True


async def test_who_looks_gets_nothing_and_who_wants_none_gets_none(served: ServedPage) -> None:
    async with recorded(served) as viewer:
        session = await viewer.create()
        await viewer.live.play(session, "demo:approval", choose("accept"))
        await expect(viewer.log).to_contain_text("the module is compiled")
        await viewer.page.get_by_role("button", name="Settings", exact=True).click()
        await viewer.page.get_by_role("checkbox", name=re.compile("^Notify me when a session")).uncheck()
        await viewer.page.keyboard.press("Escape")
        await look_away(viewer)
        await viewer.live.play(session, "demo:search")
        await expect(viewer.log).to_contain_text("That is how a web search shows")
        assert await viewer.page.evaluate("window.notified.length") == 0


async def test_title_and_mark_of_the_tab_count_who_waits(served: ServedPage) -> None:
    async with recorded(served) as viewer:
        first, second = await viewer.live.create(), await viewer.live.create()
        await viewer.enter(first)
        mark = viewer.page.locator('link[rel="icon"]')
        await expect(viewer.page).to_have_title(re.compile(r"^(?!\(\d\)).+ – wordkit – Bascule$"))
        await expect(mark).to_have_attribute("href", re.compile(r"icon\.svg$"))
        for session in (first, second):
            viewer.live.say(session, "demo:approval")
            await viewer.live.until_ask(session)
        await expect(viewer.page).to_have_title(re.compile(r"^\(2\) .+ – wordkit – Bascule$"))
        await expect(mark).to_have_attribute("href", re.compile(r"^data:image/png"))
        two = await mark.get_attribute("href")
        await viewer.live.finish(second, choose("cancel"))
        await expect(viewer.page).to_have_title(re.compile(r"^\(1\) .+ – wordkit – Bascule$"))
        await expect(mark).not_to_have_attribute("href", two or "")
        await viewer.live.finish(first, choose("cancel"))
        await expect(viewer.page).to_have_title(re.compile(r"^(?!\(\d\)).+ – wordkit – Bascule$"))
        await expect(mark).to_have_attribute("href", re.compile(r"icon\.svg$"))
