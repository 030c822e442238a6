"""Tabs: what was opened here, chosen, renamed, closed and brought back, by mouse and by keyboard alone."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect
from tests.e2e.live_app import choose, open_setup
from tests.page.viewer import ServedPage, Viewer, show_session
from tests.page.wires import Wire

from bascule.model.ids import SessionId
from bascule.serve.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


def title(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("banner").get_by_role("heading", level=1)


def tab(viewer: Viewer, session: SessionId) -> Locator:
    return viewer.page.locator(f'[role="tab"][data-session="{session}"]')


async def label_of(tab: Locator) -> str:
    return await tab.locator(".frame-tab-label").text_content() or ""


def chosen(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("tab", selected=True)


def menu_item(viewer: Viewer, name: str) -> Locator:
    return viewer.page.get_by_role("menu").get_by_role("menuitem", name=name)


def row(viewer: Viewer, text: str) -> Locator:
    return viewer.page.get_by_role("listbox", name="Sessions").get_by_role("option").filter(has_text=text)


async def choose_from_menu(viewer: Viewer, name: str) -> None:
    await viewer.open_menu()
    await menu_item(viewer, name).click()


async def open_all(viewer: Viewer, *sessions: SessionId) -> None:
    """One after the other; the last one is shown. A new browser opens the latest session by itself."""
    await viewer.enter()
    for session in sessions:
        await viewer.show(session)


async def id_of(chosen_tab: Locator) -> SessionId:
    return SessionId(await chosen_tab.get_attribute("data-session") or "")


# -- begun --


async def test_new_begins_a_session_named_by_its_folder_and_its_thread_with_a_number_in_the_bar(
    viewer: Viewer,
) -> None:
    before = await viewer.create()
    await viewer.page.get_by_role("button", name="New", exact=True).click()
    await expect(viewer.page.get_by_role("tab")).to_have_count(2)
    await expect(chosen(viewer)).not_to_have_attribute("data-session", before)
    begun = viewer.live.see(await id_of(chosen(viewer)))
    assert begun.title == f"wordkit ({begun.id[-8:]})"
    await expect(chosen(viewer).locator(".frame-tab-label")).to_have_text(re.compile(r"^wordkit #\d+$"))
    await expect(chosen(viewer)).to_have_attribute("title", begun.title)
    name = await label_of(chosen(viewer))  # one name for all of the page
    await expect(title(viewer)).to_have_text(name)
    await expect(title(viewer)).to_have_attribute("title", begun.title)
    listed = viewer.page.get_by_role("option", selected=True).locator(".frame-row-title")
    await expect(listed).to_have_text(name)
    await expect(viewer.page).to_have_title(re.compile(re.escape(name)))
    assert begun.workspace == str(viewer.setup.project)


async def test_only_what_was_opened_here_is_a_tab_and_one_alone_needs_none(viewer: Viewer) -> None:
    first, second = await viewer.live.create(), await viewer.live.create()
    await viewer.enter(second)
    await expect(viewer.page.get_by_role("tablist")).to_have_count(0)
    await viewer.page.set_viewport_size({"width": 1440, "height": 900})
    height = "(bar) => bar.getBoundingClientRect().height"
    bar_alone = await viewer.page.get_by_role("banner").evaluate(height)
    await viewer.show(first)
    await expect(viewer.page.get_by_role("tab")).to_have_count(2)
    assert (
        await viewer.page.get_by_role("banner").evaluate(height) == bar_alone
    )  # they take no row of their own
    cross = tab(viewer, first).locator("xpath=..").locator(".frame-tab-close")
    await expect(cross).to_be_in_viewport(ratio=1)
    await viewer.page.reload()
    await expect(viewer.page.get_by_role("tab")).to_have_count(2)
    close = tab(viewer, first).locator("xpath=..").locator(".frame-tab-close")
    await tab(viewer, first).hover()
    await close.click()
    await expect(viewer.page.get_by_role("tablist")).to_have_count(0)
    await expect(viewer.shown).to_have_attribute("data-session", second)


async def test_numbers_stay_over_a_reload_and_are_not_stored(
    served: ServedPage,
) -> None:
    first, second, third = [await served.live.create() for _ in range(3)]
    async with served.viewer() as viewer:
        await open_all(viewer, first, second, third)
        before = {one: await label_of(tab(viewer, one)) for one in (first, second, third)}
        assert all(re.fullmatch(r"wordkit #\d+", text) for text in before.values())
        assert len(set(before.values())) == 3
        await tab(viewer, first).click(button="middle")
        await expect(tab(viewer, first)).to_have_count(0)
        for one in (second, third):
            await expect(tab(viewer, one)).to_have_text(before[one])
        await viewer.page.reload()
        for one in (second, third):
            await expect(tab(viewer, one)).to_have_text(before[one])
        stored = await viewer.page.evaluate("JSON.stringify(localStorage)")
        assert "#1" not in stored
    assert "#1" not in viewer.live.see(second).title


async def test_the_row_of_tabs_scrolls_sideways_and_shows_the_one_that_is_chosen(viewer: Viewer) -> None:
    sessions = [await viewer.live.create() for _ in range(14)]
    sessions.insert(0, sessions.pop())
    await viewer.page.set_viewport_size({"width": 1000, "height": 700})
    await open_all(viewer, *sessions)
    bar = viewer.page.get_by_role("tablist", name="Open sessions")
    wide, seen = await bar.evaluate("(one) => [one.scrollWidth, one.clientWidth]")
    assert wide > seen
    await expect(tab(viewer, sessions[-1])).to_be_in_viewport(ratio=0.9)
    await bar.hover()
    await viewer.page.mouse.wheel(0, -5_000)
    await expect(viewer.page.get_by_role("tab").first).to_be_in_viewport(ratio=0.9)
    await expect(tab(viewer, sessions[-1])).not_to_be_in_viewport()
    await viewer.page.set_viewport_size({"width": 920, "height": 700})  # the one that is shown stays in sight
    await expect(tab(viewer, sessions[-1])).to_be_in_viewport(ratio=0.9)
    outer, inner = await bar.evaluate("(one) => [one.offsetHeight, one.clientHeight]")
    assert outer == inner  # no scrollbar: a menu leads to those out of sight
    await tab(viewer, sessions[6]).click()
    edges = "(one) => { const box = one.getBoundingClientRect(); return [box.left, box.right]; }"
    left, right = await tab(viewer, sessions[6]).locator("xpath=..").evaluate(edges)
    seen_left, seen_right = await bar.evaluate(edges)
    assert seen_left + 31 <= left  # neither its dot nor its cross is in a part that fades
    assert right <= seen_right - 31
    assert [await bar.get_attribute(f"data-{side}") for side in ("less", "more")] == ["", ""]
    await viewer.page.get_by_role("button", name="All open tabs").click()
    menu = viewer.page.get_by_role("menu", name="Open sessions")
    await expect(menu.get_by_role("menuitemcheckbox")).to_have_count(len(sessions))
    await menu.get_by_role("menuitemcheckbox").first.click()
    await expect(tab(viewer, sessions[0])).to_have_attribute("aria-selected", "true")
    await expect(tab(viewer, sessions[0])).to_be_in_viewport(ratio=0.9)
    await open_all(viewer, *sessions[:2])
    for session in sessions[2:]:
        viewer.live.app.sessions.hide(session)
    await expect(viewer.page.get_by_role("button", name="All open tabs")).to_have_count(0)


async def test_where_the_bar_has_no_room_for_tabs_it_has_the_name(viewer: Viewer) -> None:
    first, second = await viewer.live.create(), await viewer.live.create()
    await viewer.live.app.sessions.rename(second, "Raise the bridge")
    await open_all(viewer, first, second)
    bar = viewer.page.get_by_role("tablist", name="Open sessions")
    height = "(bar) => bar.getBoundingClientRect().height"
    heights = []
    for width, has_tabs in ((1440, True), (1024, True), (880, False), (390, False)):
        await viewer.page.set_viewport_size({"width": width, "height": 800})
        await expect(bar).to_be_visible(visible=has_tabs)
        named = tab(viewer, second) if has_tabs else title(viewer)
        await expect(named).to_be_in_viewport(ratio=1)
        size = await title(viewer).evaluate("(one) => one.clientWidth")
        assert (size > 40) is not has_tabs  # not the same name twice
        heights.append(await viewer.page.get_by_role("banner").evaluate(height))
    assert heights[0] == heights[1] == heights[2]  # and the log stays where it is


async def test_who_waits_is_counted_on_the_tab_however_long_its_name_is(viewer: Viewer) -> None:
    asking, other = await viewer.live.create(), await viewer.live.create()
    await viewer.live.app.sessions.rename(asking, "A name that is far too long for any tab in any bar " * 3)
    viewer.live.say(asking, "demo:approval")
    await viewer.live.until_ask(asking)
    await open_all(viewer, asking, other)
    badge = tab(viewer, asking).locator(".frame-count")
    await expect(badge).to_be_in_viewport(ratio=1)
    box, badge_box = await tab(viewer, asking).bounding_box(), await badge.bounding_box()
    assert box
    assert badge_box
    assert badge_box["width"] >= 18
    assert badge_box["x"] + badge_box["width"] <= box["x"] + box["width"]
    await viewer.live.finish(asking, choose("cancel"))


# -- chosen --


async def test_choosing_a_tab_shows_its_session_with_its_history(viewer: Viewer) -> None:
    first, second = await viewer.live.create(), await viewer.live.create()
    await viewer.live.play(first, "demo:reasoning")
    await viewer.live.play(second, "demo:search")
    await open_all(viewer, second, first)
    await expect(viewer.log).to_contain_text("summary in two parts; this is the answer")
    await expect(viewer.log).not_to_contain_text("That is how a web search shows")
    await tab(viewer, second).click()
    await expect(title(viewer)).to_have_text(viewer.live.see(second).title)
    await expect(viewer.log).to_contain_text("That is how a web search shows")
    await expect(viewer.log).not_to_contain_text("summary in two parts")
    await expect(chosen(viewer)).to_have_attribute("data-session", second)
    await viewer.page.reload()
    await expect(chosen(viewer)).to_have_attribute("data-session", second)
    await expect(viewer.log).to_contain_text("That is how a web search shows")


async def test_tabs_are_walked_and_opened_with_keys(viewer: Viewer) -> None:
    third, second, first = [await viewer.live.create() for _ in range(3)]
    await open_all(viewer, first, second, third)
    await tab(viewer, third).focus()
    for key, expected in (("ArrowLeft", second), ("ArrowLeft", first), ("End", third), ("ArrowLeft", second)):
        await viewer.page.keyboard.press(key)
        await expect(tab(viewer, expected)).to_be_focused()
    await expect(tab(viewer, third)).to_have_attribute("aria-selected", "true")  # walking opens nothing
    await viewer.page.keyboard.press("Enter")
    await expect(tab(viewer, second)).to_have_attribute("aria-selected", "true")
    await viewer.page.keyboard.press("Home")
    await expect(viewer.page.get_by_role("tab").first).to_be_focused()
    assert await viewer.page.locator('[role="tab"][tabindex="0"]').count() == 1
    await viewer.page.keyboard.press("Alt+.")
    await expect(tab(viewer, third)).to_have_attribute("aria-selected", "true")
    await viewer.page.keyboard.press("Alt+,")
    await expect(tab(viewer, second)).to_have_attribute("aria-selected", "true")


# -- renamed --


async def test_a_session_is_renamed_from_its_menu(viewer: Viewer) -> None:
    session = await viewer.create()
    old = await title(viewer).inner_text()
    await choose_from_menu(viewer, "Rename…")
    dialog = viewer.page.get_by_role("dialog", name="Rename session")
    field = dialog.get_by_role("textbox", name="Title")
    await expect(field).to_be_focused()
    await expect(field).to_have_value(old)
    await viewer.page.keyboard.type("The <b>south</b> leaf")  # what was there is selected
    await viewer.page.keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    await expect(title(viewer)).to_have_text("The <b>south</b> leaf")
    await expect(viewer.page.get_by_role("button", name="Menu for session")).to_be_focused()
    await viewer.live.until_head(session, lambda seen: seen.title == "The <b>south</b> leaf")


async def test_a_title_that_lies_is_spelt_out_also_to_those_who_hear_it(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.app.sessions.rename(session, "gpj.\u202eexe")
    spelt = "gpj.<U+202E>exe"
    await expect(title(viewer)).to_have_text(spelt)
    await expect(viewer.page.get_by_role("main", name=f"Session {spelt}")).to_be_visible()
    await viewer.page.get_by_role("button", name=f"Menu for session {spelt}").click()
    await expect(viewer.page.get_by_role("menu", name=f"Menu for session {spelt}")).to_be_visible()


async def test_a_rename_thought_better_of_changes_nothing(viewer: Viewer) -> None:
    session = await viewer.create()
    old = viewer.live.see(session).title
    for key in ("Escape", "Enter"):
        await choose_from_menu(viewer, "Rename…")
        await viewer.page.get_by_role("textbox", name="Title").fill("  " if key == "Enter" else "Another")
        await viewer.page.keyboard.press(key)
        await expect(viewer.page.get_by_role("dialog")).to_have_count(0)
    await viewer.say("/rename Another")  # comes after whatever the dialogs said
    await expect(title(viewer)).to_have_text("Another")
    await viewer.page.get_by_role("button", name="Menu for session Another").click()
    await menu_item(viewer, "Rename…").click()
    await viewer.page.get_by_role("textbox", name="Title").fill(old)
    await viewer.page.get_by_role("button", name="OK").click()
    await expect(title(viewer)).to_have_attribute("title", old)


async def test_rename_without_a_title_asks_for_one(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/rename")
    await viewer.page.get_by_role("textbox", name="Title").fill("Asked for")
    await viewer.page.keyboard.press("Enter")
    await expect(title(viewer)).to_have_text("Asked for")
    await viewer.live.until_head(session, lambda seen: seen.title == "Asked for")


# -- closed --


async def test_a_closed_tab_is_gone_from_the_bar_only_and_the_list_brings_it_back(viewer: Viewer) -> None:
    stays, goes = await viewer.live.create(), await viewer.live.create()
    await viewer.live.play(goes, "demo:search")
    await viewer.live.app.sessions.rename(goes, "To be closed")
    await open_all(viewer, stays, goes)
    await expect(viewer.log).to_contain_text("That is how a web search shows")
    await tab(viewer, goes).click(button="right")
    await menu_item(viewer, "Close Tab (Hide)").click()
    await expect(tab(viewer, goes)).to_have_count(0)
    await expect(viewer.shown).to_have_attribute("data-session", stays)
    await expect(row(viewer, "To be closed")).to_be_visible()
    kept = await viewer.live.until_head(goes, lambda seen: seen.hidden)
    assert kept.title == "To be closed"

    await row(viewer, "To be closed").click()
    await expect(tab(viewer, goes)).to_have_attribute("aria-selected", "true")
    await expect(viewer.log).to_contain_text("That is how a web search shows")
    await viewer.live.until_head(goes, lambda seen: not seen.hidden)


async def test_a_tab_closed_here_and_brought_back_elsewhere_is_here_again(served: ServedPage) -> None:
    stays, goes = await served.live.create(), await served.live.create()
    async with served.viewer() as viewer:
        await open_all(viewer, goes, stays)
        await tab(viewer, goes).click(button="middle")
        await expect(tab(viewer, goes)).to_have_count(0)
        await served.live.until_head(goes, lambda head: head.hidden)
        await served.live.app.sessions.open(goes)  # as another browser does
        await expect(tab(viewer, goes)).to_have_count(1)


async def test_a_tab_that_could_not_be_closed_stays_and_that_is_said(viewer: Viewer) -> None:
    wire = await Wire(viewer.page).lay()
    stays, goes = await viewer.live.create(), await viewer.live.create()
    await open_all(viewer, goes, stays)
    await wire.cut()
    await expect(viewer.page.get_by_role("status").filter(has_text="Connection lost.")).to_be_visible()
    await tab(viewer, goes).click(button="middle")
    said = viewer.page.get_by_role("region", name="Messages")
    await expect(said).to_contain_text("Not connected. Nothing was sent.")
    await expect(tab(viewer, goes)).to_have_count(1)
    assert not viewer.live.see(goes).hidden


async def test_delete_closes_and_the_focus_stays_in_the_bar(viewer: Viewer) -> None:
    first, second, third = [await viewer.live.create() for _ in range(3)]
    await open_all(viewer, third, first, second)
    await tab(viewer, second).focus()
    await viewer.page.keyboard.press("Delete")
    await expect(tab(viewer, second)).to_have_count(0)
    await expect(tab(viewer, first)).to_be_focused()
    await expect(tab(viewer, first)).to_have_attribute("aria-selected", "true")


async def test_the_context_menu_comes_by_key_and_is_walked(viewer: Viewer) -> None:
    session = await viewer.live.create()
    await open_all(viewer, await viewer.live.create(), session)
    await tab(viewer, session).focus()
    await viewer.page.keyboard.press("Shift+F10")
    menu = viewer.page.get_by_role("menu", name=re.compile("^Menu for session wordkit"))
    await expect(menu.get_by_role("menuitem")).to_have_text(
        [
            "Rename…",
            re.compile(r"^Close Tab \(Hide\)"),
            "Copy link",
            "Copy ID",
            "Pin",
            "Archive",
            "Fork",
            "Export as Markdown",
            "Export as JSON",
            "Delete…",
        ]
    )
    await expect(menu_item(viewer, "Rename…")).to_be_focused()
    await viewer.page.keyboard.press("ArrowUp")
    await expect(menu_item(viewer, "Delete…")).to_be_focused()
    await viewer.page.keyboard.type("cop")
    await expect(menu_item(viewer, "Copy link")).to_be_focused()
    await viewer.page.keyboard.press("ArrowDown")
    await expect(menu_item(viewer, "Copy ID")).to_be_focused()
    await viewer.page.keyboard.press("Escape")
    await expect(menu).to_have_count(0)
    await expect(tab(viewer, session)).to_be_focused()


async def see(page: Page, link: str) -> None:
    await page.goto(link)
    await expect(page.locator("body")).to_have_attribute("data-connection", "open")


async def test_names_and_closed_tabs_are_kept_over_a_restart(browser: Browser, tmp_path: Path) -> None:
    async with open_setup(tmp_path) as setup, await browser.new_page() as page:
        async with setup.run() as live, serving(live.app, setup.folder) as doors:
            shown, closed = await live.create(), await live.create()
            await live.play(closed, "demo:search")
            await live.app.sessions.rename(shown, "Kept")
            await see(page, doors.new_link(str(setup.project)))
            await show_session(page, shown)
            await show_session(page, closed)
            await page.get_by_role("tab", selected=True).press("Delete")
            await expect(page.get_by_role("tab")).to_have_count(0)
            await live.until_head(closed, lambda head: head.hidden)
        async with setup.run() as live, serving(live.app, setup.folder) as doors:
            await see(page, doors.new_link(str(setup.project)))
            await expect(page.get_by_role("heading", level=1)).to_have_text("Kept")
            await expect(page.get_by_role("tab")).to_have_count(0)
            await page.get_by_role("option").filter(has_not_text="Kept").click()
            await expect(page.get_by_role("tab")).to_have_count(2)
            await expect(page.get_by_role("log")).to_contain_text("That is how a web search shows")


# -- the rest of the menu --


async def test_the_id_is_copied(served: ServedPage) -> None:
    async with served.viewer(permissions=["clipboard-read", "clipboard-write"]) as viewer:
        session = await viewer.create()
        await choose_from_menu(viewer, "Copy ID")
        await expect(viewer.page.get_by_role("status").filter(has_text="ID copied.")).to_be_visible()
        assert await viewer.page.evaluate("navigator.clipboard.readText()") == session


async def test_a_fork_has_the_history_and_goes_its_own_way(viewer: Viewer) -> None:
    session = await viewer.live.create()
    await viewer.live.play(session, "demo:search")
    await viewer.enter(session)
    await choose_from_menu(viewer, "Fork")
    await expect(viewer.shown).not_to_have_attribute("data-session", session)
    await expect(viewer.log).to_contain_text("That is how a web search shows")
    await viewer.say("demo:reasoning")
    await expect(viewer.log).to_contain_text("summary in two parts; this is the answer")
    await tab(viewer, session).click()
    await expect(viewer.log).to_contain_text("That is how a web search shows")
    await expect(viewer.log).not_to_contain_text("summary in two parts")


@pytest.mark.parametrize(("name", "ending"), [("Export as Markdown", "md"), ("Export as JSON", "json")])
async def test_a_session_is_saved_as_a_file(viewer: Viewer, tmp_path: Path, name: str, ending: str) -> None:
    session = await viewer.live.create()
    await viewer.live.play(session, "demo:text")
    await viewer.live.app.sessions.rename(session, "Raised: a bridge/leaf")
    await viewer.enter(session)
    async with viewer.page.expect_download() as coming:
        await choose_from_menu(viewer, name)
    saved = await coming.value
    assert saved.suggested_filename == f"Raised-a-bridge-leaf.{ending}"
    await saved.save_as(tmp_path / "saved")
    text = (tmp_path / "saved").read_text(encoding="utf-8")
    assert "demo:text" in text
    assert "A raised bridge" in text
    if ending == "json":
        assert json.loads(text)["title"] == "Raised: a bridge/leaf"


# -- the top bar's diff --


async def test_the_latest_diff_opens_from_the_bar_once_there_is_one(viewer: Viewer) -> None:
    session = await viewer.create()
    button = viewer.page.get_by_role("button", name="Open Latest Diff")
    await expect(button).to_be_disabled()
    await expect(button).to_have_attribute("title", "No changes in this session yet")
    await viewer.live.play(session, "demo:edit")
    await expect(button).to_be_enabled()
    await button.click()
    await expect(viewer.pane).to_contain_text("wordkit.py")


async def test_what_a_command_changed_is_no_less_a_change(viewer: Viewer) -> None:
    session = await viewer.create()
    button = viewer.page.get_by_role("button", name="Open Latest Diff")
    await viewer.live.play(session, "demo:rewrite", choose("accept"))
    await expect(button).to_be_enabled()
    await button.click()
    await expect(viewer.page.locator(".diff-added")).to_contain_text("A command wrote this line.")
