"""A session's header: where it works, with what, what it may do, how full its context is; all of it live."""

import re
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Error, Locator, expect
from tests.e2e.live_app import choose
from tests.page.listener import find_violations, load_axe
from tests.page.viewer import ServedPage, Viewer

from bascule.demo.home import CONTEXT_WINDOW, USABLE_PERCENT
from bascule.model.agents import AgentCapabilities
from bascule.model.changes import CapabilitiesSet

pytestmark = pytest.mark.asyncio(loop_scope="session")

AS_SOMEBODY = ("-c", "user.name=T", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false")


def details(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("region", name="Session details")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *AS_SOMEBODY, "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(folder)], check=True)
    (folder / "gate.txt").write_text("shut\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


async def test_the_branch_and_the_changed_files_are_live(viewer: Viewer, repository: Path) -> None:
    """Whether a command of the agent, an editor or a terminal changed them."""
    session = await viewer.live.create(repository)
    await viewer.enter(session)
    folder = details(viewer).get_by_role("button", name="branch main")
    await expect(folder).to_contain_text("harbour")
    await expect(folder).to_contain_text("main")
    await expect(folder).not_to_contain_text("changed")
    (repository / "gate.txt").write_text("open\n")  # as an editor does
    await expect(folder).to_contain_text("1 changed")
    (repository / "new.txt").write_text("x")
    await viewer.live.play(session, "demo:command", choose("accept"))
    await expect(folder).to_contain_text("2 changed")
    git(repository, "checkout", "-q", "-b", "fix/gate")  # as a terminal does
    await expect(details(viewer)).to_contain_text("fix/gate")
    heading = viewer.page.locator(".frame-folder").filter(has_text="harbour")
    await expect(heading).to_contain_text("fix/gate · 2 changed")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "second")
    await expect(details(viewer)).not_to_contain_text("changed")


async def test_the_folders_menu_acts(served: ServedPage, repository: Path) -> None:
    async with served.viewer(permissions=["clipboard-read", "clipboard-write"]) as viewer:
        session = await viewer.live.create(repository)
        await viewer.enter(session)
        button = details(viewer).get_by_role("button", name="branch main")
        menu = viewer.page.get_by_role("menu")
        await button.click()
        await menu.get_by_role("menuitem", name="Copy branch name").click()
        assert await viewer.page.evaluate("navigator.clipboard.readText()") == "main"
        await button.click()
        await menu.get_by_role("menuitem", name="Browse files").click()
        await expect(viewer.page.get_by_role("dialog")).to_contain_text("gate.txt")
        await viewer.page.keyboard.press("Escape")
        await button.click()
        await menu.get_by_role("menuitem", name="New session in this folder").click()
        await expect(viewer.shown).not_to_have_attribute("data-session", session)
        begun = await viewer.shown.get_attribute("data-session")
        [head] = [head for head in viewer.live.app.hub.heads() if head.id == begun]
        assert head.workspace == str(repository)


async def test_outside_of_a_repository_there_is_only_the_folder(viewer: Viewer, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    await viewer.create(tmp_path / "plain")
    await expect(details(viewer).get_by_role("button", name=re.compile("^Folder plain$"))).to_be_visible()


async def test_the_permission_mode_is_a_setting_that_is_asked_about_where_it_loosens(viewer: Viewer) -> None:
    await load_axe(viewer.page)
    await viewer.create()
    button = details(viewer).get_by_role("button", name="Permissions: Ask first")
    await button.click()
    menu = viewer.page.get_by_role("menu")
    read_only = menu.get_by_role("menuitemcheckbox", name="Read only")
    await expect(read_only).to_have_attribute("aria-checked", "true")
    assert await find_violations(viewer.page) == []
    await menu.get_by_role("menuitemcheckbox", name="Write in the project folder").click()
    question = viewer.page.get_by_role("dialog").get_by_role("article", name="Change this setting?")
    await expect(question).to_contain_text("workspace-write")
    while await question.count():  # what has just appeared takes no answer for a moment
        with suppress(Error):  # it has just gone
            yes = question.get_by_role("button", name="Yes, change it")
            await yes.dispatch_event("click", timeout=1_000)
    await expect(details(viewer).get_by_role("button", name="Permissions: Edit in folder")).to_be_visible()
    assert viewer.live.app.settings.get(str(viewer.setup.project)).codex.sandbox == "workspace-write"
    await details(viewer).get_by_role("button", name="Permissions: Edit in folder").click()
    await menu.get_by_role("menuitemcheckbox", name="Read only").click()  # tightening asks nobody
    await expect(button).to_be_visible()


async def test_what_the_agent_cannot_choose_is_no_menu(viewer: Viewer) -> None:
    session = await viewer.create()
    await expect(details(viewer).get_by_role("button", name=re.compile("^Model: "))).to_be_visible()
    viewer.live.app.hub.apply(session, [CapabilitiesSet(AgentCapabilities(models=False))])
    await expect(details(viewer).get_by_role("button", name=re.compile("^Model: "))).to_have_count(0)
    await expect(details(viewer)).to_contain_text("Codex")


async def test_the_time_runs_with_a_run_and_stands_still_after_it(viewer: Viewer) -> None:
    session = await viewer.create()
    time = details(viewer).locator(".header-time")
    await expect(time).to_have_count(0)
    await viewer.say("demo:slow")
    await expect(time).to_have_attribute("title", re.compile("^This run has taken 0:0"))
    first = await time.inner_text()
    await expect(time).not_to_have_text(first)
    await viewer.input.press("Escape")
    await viewer.live.until_idle(session)
    await expect(time).to_have_attribute("title", re.compile("^The last run took 0:"))


async def test_model_and_effort_are_changed_from_the_menu(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.page.get_by_role("button", name=re.compile("^Model: ")).click()
    menu = viewer.page.get_by_role("dialog", name=re.compile("^Model: "))
    await expect(menu).to_contain_text("The same plays under a smaller name.")
    await menu.get_by_role("group", name="Effort for demo-small").get_by_role("button", name="high").click()
    await expect(menu).to_have_count(0)
    await expect(details(viewer)).to_contain_text("Codex · demo-small · high")
    seen = await viewer.live.until_head(session, lambda head: head.model == "demo-small")
    assert seen.effort == "high"
    await viewer.say("demo:search")
    await viewer.until_said(session)
    await expect(details(viewer)).to_contain_text("Codex · demo-small · high")


async def test_the_context_is_counted_from_what_the_model_used(viewer: Viewer) -> None:
    session = await viewer.create()
    await expect(details(viewer)).not_to_contain_text("context")
    await viewer.say("demo:text")
    await viewer.until_said(session)
    usage = viewer.live.see(session).usage
    assert usage is not None
    assert usage.context_window == CONTEXT_WINDOW * USABLE_PERCENT // 100
    used = round(usage.context_used / usage.context_window * 100)
    assert 0 < used < 100
    await expect(details(viewer)).to_contain_text(f"{used}% context")
    bar = details(viewer).get_by_role(
        "meter", name=re.compile(rf"^Context: [\d.]+K of 258.4K tokens used, {100 - used}% left$")
    )
    await expect(bar).to_have_attribute("aria-valuenow", str(used))
    whole, filled = await bar.bounding_box(), await bar.locator("span").bounding_box()
    assert whole
    assert filled
    assert filled["x"] == whole["x"]
    assert filled["width"] == pytest.approx(whole["width"] * used / 100, abs=1)
    colours = "(one) => [one, one.firstChild].map((part) => getComputedStyle(part).backgroundColor)"
    assert len(set(await bar.evaluate(colours))) == 2  # what is used differs from what is left
    assert usage.total
    await expect(details(viewer)).to_contain_text(re.compile(r"\d+(\.\d)?K tokens"))


async def test_beside_a_review_the_bars_are_whole_and_no_message_covers_them(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.play(session, "demo:edit")
    page = viewer.page
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.get_by_role("textbox", name="Prompt").fill("/diff-of-nothing @selection")
    await page.keyboard.press("Enter")  # refused: nothing is selected
    message = page.locator(".frame-toast")
    await expect(message).to_be_visible()
    bar = await viewer.page.locator(".header").bounding_box()
    toast = await message.bounding_box()
    assert bar
    assert toast
    assert toast["y"] >= bar["y"] + bar["height"]
    await viewer.log.locator(".blocks-end").get_by_role("button", name="Review").click()
    await expect(viewer.pane).to_be_visible()
    pane = await viewer.pane.bounding_box()
    assert pane
    for name in ("New", "Open Latest Diff", "Settings", "Keyboard and commands"):
        button = await page.get_by_role("button", name=name, exact=True).bounding_box()
        assert button
        assert button["x"] + button["width"] <= pane["x"], name


async def test_on_a_phone_it_is_one_line_that_scrolls(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.page.set_viewport_size({"width": 390, "height": 780})
        session = await viewer.live.create()
        await viewer.live.play(session, "demo:text")
        await viewer.enter(session)
        box = await details(viewer).bounding_box()
        assert box
        assert box["height"] <= 48
        assert await viewer.page.evaluate("document.documentElement.scrollWidth") == 390
        await viewer.page.get_by_role("button", name=re.compile("^Model: ")).click()
        panel = await viewer.page.get_by_role("dialog").bounding_box()
        assert panel
        assert panel["x"] >= 0
        assert panel["x"] + panel["width"] <= 390


async def test_beside_a_narrow_editor_the_name_of_a_session_has_room(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.page.set_viewport_size({"width": 300, "height": 620})
        session = await viewer.live.create()
        await viewer.live.app.sessions.rename(session, "one more function")
        await viewer.enter(session)
        title = viewer.page.get_by_role("heading", name="one more function")
        await expect(title).to_be_visible()
        assert await title.evaluate("(one) => one.scrollWidth <= one.clientWidth")
