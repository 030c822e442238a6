"""A viewer: a real Chromium before the page of a daemon with a real, offline Codex."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Locator, Page, async_playwright, expect
from tests.e2e.live_app import SUITE, SUITE_ID, LiveApp, Setup, open_setup, said
from tests.page.profiles import PATIENCE_MS, Profile, Profiles
from tools.system_programs import MISSING, QUIET, find_browser

from bascule.model.ids import SessionId
from bascule.model.session import Session
from bascule.serve.serving import Serving, serving

# The list lets the pointer through as long as it moves.
RESTS = """() => {
  const log = document.querySelector('[role="log"]');
  return log?.querySelector("[data-block]") && !log.querySelector('[style*="pointer-events: none"]');
}"""


async def show_session(page: Page, session: SessionId) -> None:
    """By its address, as a link in another program would."""
    await page.evaluate("(hash) => { location.hash = hash; }", f"#/s/{session}")
    await expect(page.locator(f'main[data-session="{session}"]')).to_be_visible()


class Viewer:
    """One browser profile before one daemon."""

    def __init__(self, profile: Profile, live: LiveApp, doors: Serving, setup: Setup) -> None:
        self.page = profile.page
        self.faults = profile.faults
        self.live = live
        self.doors = doors
        self.setup = setup

    async def enter(self, session: SessionId | None = None) -> None:
        """By a fresh link, as `bascule up` opens it; on a session where one is named."""
        await self.page.goto(self.doors.new_link(str(self.setup.project)))
        await expect(self.page.locator("body")).to_have_attribute("data-connection", "open")
        if session is not None:
            await self.show(session)

    async def show(self, session: SessionId) -> None:
        await show_session(self.page, session)
        await expect(self.log).to_be_visible()

    async def rest(self) -> None:
        """Until the log stands still: while it is laid out, what a pointer aims at moves away."""
        await self.page.wait_for_function(RESTS)

    async def create(self, project: Path | None = None) -> SessionId:
        """A session of its own, shown; its agent starts with the first prompt."""
        session = await self.live.create(project)
        await self.enter(session)
        return session

    async def begin(self, project: Path | None = None) -> SessionId:
        """A session of its own with its agent, shown."""
        session = await self.live.begin(project)
        await self.enter(session)
        return session

    @property
    def shown(self) -> Locator:
        """What is open: `data-session` says which."""
        return self.page.get_by_role("main")

    async def open_menu(self) -> Locator:
        """Of the session that is open."""
        await self.page.get_by_role("banner").get_by_role("button", name="Menu for session").click()
        return self.page.get_by_role("menu")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log")

    @property
    def pane(self) -> Locator:
        """A diff or a review beside the log."""
        return self.page.locator(".review-pane")

    @property
    def input(self) -> Locator:
        return self.page.get_by_role("textbox", name="Prompt to the agent")

    def block(self, kind: str) -> Locator:
        return self.log.locator(f".blocks-block.blocks-{kind}")

    async def say(self, text: str) -> None:
        await self.input.fill(text)
        await self.input.press("Enter")

    async def until_said(self, session: SessionId, prompts: int = 1) -> Session:
        """That many have reached the daemon, and the agent is done with them."""
        await self.live.until(session, lambda seen: len(said(seen)) >= prompts)
        return await self.live.until_idle(session)

    async def refused(self) -> list[str]:
        """What the policy has kept from happening."""
        violations: list[str] = await self.page.evaluate("window.refused")
        return violations


class ServedPage:
    """A daemon and a browser, from which viewers are made."""

    def __init__(self, profiles: Profiles, setup: Setup, live: LiveApp, doors: Serving) -> None:
        self.profiles = profiles
        self.setup = setup
        self.live = live
        self.doors = doors

    @property
    def browser(self) -> Browser:
        return self.profiles.browser

    @asynccontextmanager
    async def viewer(self, **wishes: Any) -> AsyncIterator[Viewer]:
        """As of a new profile. A fault in the page, or anything against the policy, fails the test."""
        async with self.profiles.use(self.doors.url, **wishes) as profile:
            viewer = Viewer(profile, self.live, self.doors, self.setup)
            yield viewer
            refused = await viewer.refused() if not viewer.page.is_closed() else []
            assert not viewer.faults + refused, viewer.faults + refused


@asynccontextmanager
async def open_served(
    root: Path, profiles: Profiles, *, word_delay_s: float = 0.01
) -> AsyncIterator[ServedPage]:
    async with (
        open_setup(root, word_delay_s=word_delay_s) as setup,
        setup.run() as live,
        serving(live.app, setup.folder) as doors,
    ):
        yield ServedPage(profiles, setup, live, doors)


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    program = find_browser()
    assert program is not None, MISSING
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=list(QUIET), env={SUITE: SUITE_ID}
        )
        try:
            yield browser
        finally:
            await browser.close()
