"""Home, the control room: what waits, what works, what has ended unseen, and the recent sessions."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, ViewportSize, expect
from tests.e2e.live_app import choose
from tests.page.session_blocks import answer
from tests.page.viewer import ServedPage, Viewer

from bascule.model.ids import SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = ViewportSize(width=390, height=844)
LOW = ViewportSize(width=900, height=420)

WORD_DELAY_S = 0.05


async def go_home(viewer: Viewer) -> None:
    await viewer.page.get_by_role("button", name="Home", exact=True).click()
    await expect(viewer.page.get_by_role("heading", name="Home", level=1)).to_be_visible()


def section(viewer: Viewer, name: str) -> Locator:
    return viewer.page.get_by_role("region", name=re.compile(f"^{name}"))


def card_of(viewer: Viewer, title: str) -> Locator:
    titled = viewer.page.get_by_role("button", name=title, exact=True)
    return viewer.page.locator(".home-card").filter(has=titled)


async def begin_named(served: ServedPage, title: str, project: Path | None = None) -> SessionId:
    session = await served.live.create(project)
    await served.live.app.sessions.rename(session, title)
    return session


async def test_what_waits_is_answered_at_home(served: ServedPage, viewer: Viewer) -> None:
    session = await begin_named(served, "Compile the module")
    await viewer.enter(session)
    await go_home(viewer)
    served.live.say(session, "demo:approval")
    waiting = section(viewer, "Waiting for you")
    await expect(waiting).to_contain_text("Compile the module")
    await expect(waiting).to_contain_text("-m compileall")
    await viewer.page.set_viewport_size(PHONE)
    body = waiting.locator(".asks-body")
    await expect(body).to_be_visible()
    cut = await body.evaluate("(body) => body.scrollHeight - body.clientHeight")
    assert cut <= 1  # one line of command has no scrollbar of its own
    question = await begin_named(served, "Ask me first")
    served.live.say(question, "demo:question")
    asked = card_of(viewer, "Ask me first").locator(".asks-body")
    await expect(asked).to_contain_text("Which leaf of the bridge should go up first? and 1 more")
    assert await asked.evaluate("(body) => body.scrollWidth - body.clientWidth") == 0
    await served.live.finish(question, choose("decline"))
    await viewer.page.set_viewport_size(LOW)
    card = waiting.locator(".asks-card")
    for key in "yn":
        await viewer.page.locator(".home").evaluate("(home) => home.scrollTo(0, home.scrollHeight)")
        await expect(card).not_to_be_in_viewport()
        await viewer.page.keyboard.press(key)
        await expect(card).to_be_focused()  # a key leads to what is out of view and answers nothing
        await expect(card).to_be_in_viewport(ratio=1)
    assert len(served.live.see(session).asks) == 1
    home = viewer.page.get_by_role("button", name="Home", exact=True)
    await expect(home.locator(".frame-count")).to_have_text("1")
    await expect(home).to_have_attribute("aria-current", "page")
    await answer(waiting, "Yes, once")
    await served.live.until_idle(session)
    await expect(waiting).to_have_count(0)
    await expect(home.locator(".frame-count")).to_have_count(0)

    ended = section(viewer, "Ended since you last looked")
    await expect(ended).to_contain_text("Compile the module")
    await expect(ended).to_contain_text("Done")


async def test_what_works_says_what_it_does_and_since_when_and_is_stopped(
    served: ServedPage, viewer: Viewer
) -> None:
    session = await begin_named(served, "Take your time")
    await viewer.enter(session)
    await go_home(viewer)
    served.live.say(session, "demo:slow")
    await served.live.until_streaming(session)
    card = card_of(viewer, "Take your time")
    await expect(section(viewer, "Working")).to_contain_text("Take your time")
    await expect(card).to_contain_text("Writing")
    await expect(card.locator("time")).to_have_text(re.compile(r"^0:0[1-9]$"))
    await card.get_by_role("button", name="Stop").click()
    await served.live.until_idle(session)
    await expect(section(viewer, "Ended since you last looked")).to_contain_text("Interrupted")


async def test_what_ended_says_how_and_what_it_changed_until_it_was_looked_at(
    served: ServedPage, viewer: Viewer
) -> None:
    edited = await begin_named(served, "Add a function")
    failed = await begin_named(served, "Rename the parser")
    await viewer.enter(edited)
    await go_home(viewer)
    await served.live.play(edited, "demo:edit")
    await served.live.play(failed, "demo:error")
    await expect(card_of(viewer, "Rename the parser")).to_contain_text("Failed")
    card = card_of(viewer, "Add a function")
    await expect(card).to_contain_text("2 files")
    await expect(card).to_contain_text("+14")
    await viewer.page.reload()
    await go_home(viewer)
    await expect(card).to_contain_text("Done")  # a reload is no look

    await card.get_by_role("button", name="Review").click()
    await expect(viewer.pane).to_contain_text("wordkit.py")
    await expect(viewer.log).to_be_visible()  # beside it
    await go_home(viewer)
    await expect(card).to_have_count(0)
    recent = section(viewer, "Recent")
    await expect(recent.get_by_role("button", name=re.compile("Add a function"))).to_be_visible()
    await expect(card_of(viewer, "Rename the parser")).to_have_count(1)
    await viewer.page.get_by_role("button", name="Mark all as seen").click()
    await expect(section(viewer, "Ended since you last looked")).to_have_count(0)
    await expect(recent.get_by_role("button", name=re.compile("Failed.*Rename the parser"))).to_be_visible()


async def test_the_recent_ones_stand_under_their_projects(served: ServedPage, viewer: Viewer) -> None:
    other = served.setup.project.parent / "other-project"
    other.mkdir(exist_ok=True)
    here = await begin_named(served, "In the first")
    await begin_named(served, "In the second", other)
    await viewer.enter(here)
    await go_home(viewer)
    recent = section(viewer, "Recent")
    for project, title in ((served.setup.project.name, "In the first"), ("other-project", "In the second")):
        await expect(recent.get_by_role("heading", name=re.compile(f"^{project}"), level=3)).to_be_visible()
        await expect(recent.get_by_role("button", name=re.compile(title))).to_be_visible()
    await recent.get_by_role("button", name=re.compile("In the second")).click()
    await expect(viewer.page.get_by_role("heading", name="In the second", level=1)).to_be_visible()
