"""Claude's hooks in the settings: a switch that says what it writes, "Apply now", a question, and a file."""

import json

import pytest
from playwright.async_api import expect
from tests.page.test_asks import button, settle
from tests.page.test_home import section
from tests.page.viewer import ServedPage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_hooks_are_applied_after_a_yes_and_a_failure_says_what_to_do(served: ServedPage) -> None:
    path = served.setup.project.parent / ".claude" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"theme": "dark"}')
    async with served.viewer() as viewer:
        page = viewer.page
        await page.clock.install()
        await viewer.enter()
        await viewer.begin()
        await page.get_by_role("button", name="Settings", exact=True).click()
        group = page.get_by_role("region", name="Claude's hooks")
        apply = group.get_by_role("button", name="Apply now")
        await expect(apply).to_have_count(0)  # there is nothing to apply
        await expect(group).not_to_contain_text("Removes")
        await group.get_by_role("checkbox").check()
        await expect(group).to_contain_text("settings.json. Everything else in the file stays.")
        await expect(group).to_contain_text("bascule-notify.sh")
        await page.keyboard.press("Escape")
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox").fill("hooks")
        await page.get_by_role("option", name="Claude's hooks").click()
        await expect(group.get_by_role("checkbox")).to_be_focused()
        await page.get_by_role("searchbox", name="Search settings").fill("hooks")
        await group.get_by_role("checkbox").check()
        await apply.click()
        await expect(section(viewer, "Waiting for you")).to_contain_text(
            "Install hooks in Claude's settings?"
        )
        assert json.loads(path.read_text()) == {"theme": "dark"}
        await settle(viewer)
        await button(section(viewer, "Waiting for you"), "Yes, once").click()
        await expect(page.get_by_text("Hooks installed.")).to_be_visible()
        written = json.loads(path.read_text())
        assert written["theme"] == "dark"
        assert "Stop" in written["hooks"]

        path.write_text("{ broken")
        await page.get_by_role("button", name="Settings", exact=True).click()
        await expect(group.get_by_role("alert")).to_contain_text("settings.json")
        await expect(apply).to_have_count(0)
        assert path.read_text() == "{ broken"
        path.unlink()
