"""The first page: what is found and what is missing, three things to try, the demo one click away."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.live_app import CODEX, LiveApp, open_setup, said
from tests.page.listener import find_violations, load_axe
from tests.page.profiles import Profiles
from tests.page.viewer import ServedPage, Viewer

from bascule.daemon.app import open_app
from bascule.demo.plays import KINDS, make_prompts
from bascule.model.changes import TitleSet
from bascule.model.protocol.setup import DemoPrompt
from bascule.serve.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROMPTS = make_prompts()
SEARCH = KINDS["search"].says


@asynccontextmanager
async def first_page(
    profiles: Profiles, root: Path, *, codex: str = CODEX, prompts: tuple[DemoPrompt, ...] = ()
) -> AsyncIterator[Viewer]:
    """A daemon that has never been used, and its page."""
    async with open_setup(root) as setup:
        setup.write_settings(command=codex)
        async with (
            open_app(setup.folder, command="tests", env=setup.env, demo_prompts=prompts) as app,
            serving(app, setup.folder) as doors,
            ServedPage(profiles, setup, LiveApp(app, setup.project), doors).viewer() as viewer,
        ):
            await viewer.enter()
            await expect(viewer.page.get_by_role("heading", name="Welcome to Bascule")).to_be_visible()
            yield viewer


async def check_again(viewer: Viewer) -> None:
    found = viewer.page.get_by_role("region", name="Setup check")
    await found.get_by_role("button", name="Check again").click()


def check(viewer: Viewer, name: str) -> Locator:
    found = viewer.page.get_by_role("region", name="Setup check").get_by_role("listitem")
    return found.filter(has=viewer.page.locator("strong", has_text=re.compile(f"^{name}$")))


async def test_what_is_found_carries_a_tick_and_what_nobody_needs_does_not(
    profiles: Profiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with first_page(profiles, tmp_path) as viewer:
        codex = check(viewer, "codex")
        await expect(codex).to_contain_text("Found: ")
        await expect(codex).to_contain_text("codex-cli")
        tick = await codex.locator("svg").inner_html()
        monkeypatch.setenv("PATH", str(tmp_path / "nothing here"))
        await check_again(viewer)
        claude = check(viewer, "claude")
        await expect(claude).to_contain_text("Note: claude not found")
        assert await claude.locator("svg").inner_html() != tick
        colours = [
            await one.locator("svg").evaluate("(one) => getComputedStyle(one).color")
            for one in (codex, claude)
        ]
        assert colours[0] != colours[1]


def step(viewer: Viewer, title: str) -> Locator:
    return viewer.page.get_by_role("region", name=title)


async def test_without_codex_the_next_step_is_a_line_to_copy_with_the_demo_beside_it(
    profiles: Profiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bascule.host.findings.find_agent_program", lambda _launch, _environ: None)
    async with first_page(profiles, tmp_path, codex="codex") as viewer:
        card = step(viewer, "Codex is not installed yet")
        await expect(card.locator("code").first).to_have_text("npm install -g @openai/codex")
        await expect(card).to_contain_text("bascule doctor")
        demo = step(viewer, "Try the demo")
        await expect(demo.locator("code")).to_contain_text("bascule up --demo")
        await expect(demo.get_by_role("button", name="Copy")).to_be_visible()
        monkeypatch.undo()
        viewer.setup.write_settings()  # it was installed
        await card.get_by_role("button", name="Check again").click()
        await expect(card).to_have_count(0)
        await expect(step(viewer, "Sign in to Codex")).to_be_visible()
        await expect(demo).to_be_visible()  # still nothing else to try


async def test_who_is_not_signed_in_gets_the_agents_own_device_flow(
    profiles: Profiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with first_page(profiles, tmp_path) as viewer:
        await expect(check(viewer, "codex sign-in")).to_be_visible()  # the offline one asks nobody to
        card = step(viewer, "Sign in to Codex")
        commands = card.locator("code")
        await expect(commands.first).to_have_text(re.compile(r"login --device-auth$"))
        await expect(card.get_by_role("button", name="Copy").first).to_be_visible()
        await expect(step(viewer, "Try the demo").locator("code")).to_contain_text("bascule up --demo")


async def test_without_a_folder_one_is_chosen_by_walking_there(profiles: Profiles, tmp_path: Path) -> None:
    (tmp_path / "projects" / "ferry" / ".git").mkdir(parents=True)
    async with (
        open_setup(tmp_path) as setup,
        open_app(setup.folder, command="tests", env=setup.env) as app,
        serving(app, setup.folder) as doors,
        ServedPage(profiles, setup, LiveApp(app, setup.project), doors).viewer() as viewer,
    ):
        page = viewer.page
        await load_axe(page)
        await page.goto(doors.new_link())  # a bookmark: no folder comes with it
        await page.get_by_role("button", name="New", exact=True).click()
        picker = page.get_by_role("dialog", name="Choose a folder")
        await picker.get_by_role("textbox", name="Folder").fill(str(tmp_path / "nowhere"))
        await page.keyboard.press("Enter")
        await expect(picker.get_by_role("status").first).to_contain_text("There is no folder")
        await picker.get_by_role("textbox", name="Folder").fill("/")
        await page.keyboard.press("Enter")
        await expect(picker.get_by_role("button", name="Start a session here")).to_be_disabled()
        await picker.get_by_role("textbox", name="Folder").fill(str(tmp_path))
        await page.keyboard.press("Enter")
        await picker.get_by_role("button", name="projects").click()
        await picker.get_by_role("button", name="ferry Git").click()
        assert await find_violations(page) == []
        await picker.get_by_role("button", name="Start a session here").click()
        await expect(viewer.input).to_be_focused()
        [session] = app.hub.heads()
        assert session.workspace == str((tmp_path / "projects" / "ferry").resolve())
        await page.goto(doors.url)  # a bookmark again: now there is a folder to go on in
        await page.reload()
        await expect(viewer.shown).to_have_attribute("data-session", session.id)
        await page.get_by_role("button", name="New", exact=True).click()
        await expect(viewer.shown).not_to_have_attribute("data-session", session.id)
        assert {head.workspace for head in app.hub.heads()} == {session.workspace}
        await page.get_by_role("button", name="Home", exact=True).click()
        await page.get_by_role("button", name="List options").click()
        await page.get_by_role("menuitem", name="Open a folder…").click()
        await picker.get_by_role("textbox", name="Folder").fill(str(tmp_path / "projects"))
        await page.keyboard.press("Enter")
        await picker.get_by_role("button", name="Start a session here").click()
        await expect(viewer.input).to_be_focused()
        await expect(page).to_have_url(re.compile("#/s/"))
        assert len(app.hub.heads()) == 3


async def test_the_picker_begins_where_a_session_can(profiles: Profiles, tmp_path: Path) -> None:
    """The demo's project lies in the data folder, which no session may see."""
    async with open_setup(tmp_path) as setup:
        inside = setup.folder.root / "demo" / "project"
        inside.mkdir(parents=True)
        async with (
            open_app(setup.folder, command="tests", env=setup.env) as app,
            serving(app, setup.folder) as doors,
            ServedPage(profiles, setup, LiveApp(app, setup.project), doors).viewer() as viewer,
        ):
            await load_axe(viewer.page)
            await viewer.page.goto(doors.new_link(str(inside)))
            await viewer.page.get_by_role("button", name="Choose another folder…").first.click()
            picker = viewer.page.get_by_role("dialog", name="Choose a folder")
            await expect(picker.get_by_role("textbox", name="Folder")).to_have_value("~")
            await expect(picker.get_by_role("status").first).to_have_text("")


async def test_a_missing_codex_is_named_with_what_to_do(profiles: Profiles, tmp_path: Path) -> None:
    async with first_page(profiles, tmp_path, codex="no-such-codex") as viewer:
        codex = check(viewer, "codex")
        await expect(codex).to_contain_text("Missing: ")
        await expect(codex).to_contain_text("no-such-codex")
        await expect(codex).to_contain_text("Correct it in settings.toml.")
        await viewer.page.get_by_role("button", name="Start a session").click()
        why = viewer.page.get_by_role("region", name="Messages").get_by_role("alert")
        await expect(why).to_contain_text("no-such-codex")
        await expect(viewer.page.get_by_role("heading", name="Welcome to Bascule")).to_be_visible()
        assert viewer.live.app.hub.heads() == []

        viewer.setup.write_settings()  # put right, and nothing started anew
        await check_again(viewer)
        await expect(codex).to_contain_text("Found: ")


@pytest.mark.parametrize("number", [0, 1, 2])
async def test_a_thing_to_try_is_put_into_the_input_and_not_sent(
    profiles: Profiles, tmp_path: Path, number: int
) -> None:
    async with first_page(profiles, tmp_path) as viewer:
        await expect(viewer.page.get_by_text("Folder: ~/wordkit")).to_be_visible()
        card = viewer.page.get_by_role("region", name="Three things to try").get_by_role("button").nth(number)
        text = await card.locator("span").inner_text()
        await card.click()
        await expect(viewer.input).to_have_value(text)
        await expect(viewer.input).to_be_focused()
        (session,) = viewer.live.app.hub.heads()
        assert session.workspace == str(viewer.setup.project)
        assert said(viewer.live.see(session.id)) == []
        await viewer.page.keyboard.press("Enter")
        await viewer.live.until(session.id, lambda seen: said(seen) == [text])


async def test_the_demo_is_one_click_away(profiles: Profiles, tmp_path: Path) -> None:
    async with first_page(profiles, tmp_path, prompts=PROMPTS) as viewer:
        demo = viewer.page.get_by_role("region", name="Demo: click to send")
        await expect(demo.get_by_role("button")).to_have_count(len(KINDS))
        await expect(viewer.page.get_by_role("region", name="Three things to try")).to_have_count(0)
        await demo.get_by_role("button", name=SEARCH).click()
        await expect(viewer.log).to_contain_text("That is how a web search shows")
        await viewer.input.press("ArrowUp")
        await expect(viewer.input).to_have_value(SEARCH)  # it is in what was sent before
        await expect(viewer.page.get_by_role("heading", level=1)).to_have_text(SEARCH)


async def test_a_double_click_begins_one_session_and_sends_once(profiles: Profiles, tmp_path: Path) -> None:
    async with first_page(profiles, tmp_path, prompts=PROMPTS) as viewer:
        demo = viewer.page.get_by_role("region", name="Demo: click to send")
        await demo.get_by_role("button", name=SEARCH).dblclick()
        await expect(viewer.log).to_contain_text("That is how a web search shows")
        (session,) = viewer.live.app.hub.heads()
        assert said(await viewer.live.until_idle(session.id)) == [SEARCH]
        await viewer.page.get_by_role("button", name="New", exact=True).dblclick()
        await expect(viewer.page.get_by_role("tab")).to_have_count(2)
        await expect(viewer.log).not_to_contain_text("That is how a web search shows")  # the new one is shown
        await viewer.say("demo:reasoning")  # by now whatever was asked for has come
        await expect(viewer.log).to_contain_text("summary in two parts; this is the answer")
        assert len(viewer.live.app.hub.heads()) == 2


async def test_the_first_page_is_reached_again_for_another_prompt(profiles: Profiles, tmp_path: Path) -> None:
    async with first_page(profiles, tmp_path, prompts=PROMPTS) as viewer:
        demo = viewer.page.get_by_role("region", name="Demo: click to send")
        await demo.get_by_role("button", name=SEARCH).click()
        await expect(viewer.log).to_contain_text("That is how a web search shows")
        await viewer.page.get_by_role("button", name="Home").click()
        await expect(demo.get_by_role("button")).to_have_count(0)  # it was used once
        await demo.get_by_text("Demo: click to send").click()
        await demo.get_by_role("button", name=KINDS["reasoning"].says).click()
        await expect(viewer.log).to_contain_text("summary in two parts; this is the answer")
        await expect(viewer.page.get_by_role("tab")).to_have_count(2)


async def test_outside_of_the_demo_there_is_none_and_recent_folders_begin_sessions(
    profiles: Profiles, tmp_path: Path
) -> None:
    other = tmp_path / "ferry"
    other.mkdir()
    async with first_page(profiles, tmp_path) as viewer:
        await expect(check(viewer, "codex")).to_be_visible()
        await expect(viewer.page.get_by_role("region", name="Demo: click to send")).to_have_count(0)
        await expect(viewer.page.get_by_role("region", name="Recent folders")).to_have_count(0)
        session = await viewer.live.app.sessions.create(str(other))
        viewer.live.app.hub.apply(session, [TitleSet("Ferry", "person")])  # a draft is not listed
        await viewer.page.get_by_role("option").click()
        await viewer.page.get_by_role("listbox", name="Sessions").press("Delete")
        recent = viewer.page.get_by_role("region", name="Recent folders")
        await recent.get_by_role("button", name="~/ferry").click()
        details = viewer.page.get_by_role("region", name="Session details")
        await expect(details.get_by_role("button", name="Folder ferry")).to_be_visible()


DROP = """(kind) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["x"], "x.txt"));
  const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
  return document.querySelector("main").dispatchEvent(event);  // false: the browser does nothing with it
}"""


async def test_a_file_that_is_dropped_where_nobody_takes_it_does_not_take_the_pages_place(
    profiles: Profiles, tmp_path: Path
) -> None:
    async with first_page(profiles, tmp_path) as viewer:
        await expect(viewer.page.get_by_role("main")).to_be_visible()
        assert [await viewer.page.evaluate(DROP, kind) for kind in ("dragover", "drop")] == [False, False]
