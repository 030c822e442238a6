"""The palette: one field for sessions, what was said in them, actions, commands and settings."""

import re

import pytest
from playwright.async_api import Locator, ViewportSize, expect
from tests.page.listener import find_nameless, find_violations, load_axe
from tests.page.payloads import MARKUP
from tests.page.session_blocks import at, put
from tests.page.side_effects import scroll_width
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import AssistantBlock, UserBlock
from bascule.model.ids import BlockId, SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = ViewportSize(width=390, height=780)


def palette(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("dialog", name="Search everything")


def field(viewer: Viewer) -> Locator:
    return palette(viewer).get_by_role("combobox", name="Search everything")


def option(viewer: Viewer, text: str) -> Locator:
    return palette(viewer).get_by_role("option").filter(has_text=text)


def group(viewer: Viewer, name: str) -> Locator:
    return palette(viewer).get_by_role("group", name=re.compile(f"^{name}"))


async def named(viewer: Viewer, title: str) -> SessionId:
    session = await viewer.live.create()
    assert await viewer.live.app.sessions.rename(session, title) is None
    return session


async def open_palette(viewer: Viewer, typed: str = "") -> None:
    await viewer.page.keyboard.press("Control+k")
    await expect(field(viewer)).to_be_focused()
    await viewer.page.keyboard.type(typed)


async def expect_chosen(viewer: Viewer, text: str) -> None:
    """What Enter would open, for eyes and for a screen reader."""
    chosen = palette(viewer).get_by_role("option", selected=True)
    await expect(chosen).to_have_count(1)
    await expect(chosen).to_contain_text(text)
    pointed = await chosen.get_attribute("id")
    await expect(field(viewer)).to_have_attribute("aria-activedescendant", pointed or "")


async def expect_shown(viewer: Viewer, title: str) -> None:
    await expect(viewer.page.get_by_role("heading", name=title, level=1)).to_be_visible()


async def test_a_session_is_found_by_its_name_and_opened_with_the_keyboard_alone(viewer: Viewer) -> None:
    for title in ("Lamp two", "Lamp one"):
        await named(viewer, title)
    await viewer.create()
    await viewer.input.focus()
    await open_palette(viewer, "LAM")
    await expect_chosen(viewer, "Lamp one")  # the latest of those that fit equally well
    await viewer.page.keyboard.press("ArrowDown")
    await expect_chosen(viewer, "Lamp two")
    await viewer.page.keyboard.press("ArrowUp")
    await viewer.page.keyboard.press("ArrowUp")  # around the end
    await viewer.page.keyboard.press("ArrowDown")
    await viewer.page.keyboard.press("ArrowDown")
    await expect_chosen(viewer, "Lamp two")
    await viewer.page.keyboard.press("Enter")
    await expect(palette(viewer)).to_have_count(0)
    await expect_shown(viewer, "Lamp two")
    await expect(viewer.input).to_be_focused()


async def test_what_is_typed_right_after_its_key_is_not_lost(viewer: Viewer) -> None:
    await named(viewer, "Quick fingers")
    await viewer.create()
    await viewer.page.keyboard.press("Control+k")  # loaded only now
    await viewer.page.keyboard.type("quick fing")
    await expect(field(viewer)).to_have_value("quick fing")


async def test_a_text_that_was_said_is_found_with_its_words_and_leads_to_its_block(viewer: Viewer) -> None:
    session = await named(viewer, "A long talk")
    put(
        viewer,
        session,
        UserBlock(id=BlockId("ask"), text="Why does the quokka smile?"),
        *(
            AssistantBlock(id=BlockId(f"b{n}"), text=f"answer {n}\n\n" + "words " * 60, status="completed")
            for n in range(60)
        ),
    )
    await viewer.create()
    await open_palette(viewer, "quokka smi")
    hit = group(viewer, "In conversations").get_by_role("option")
    await expect(hit).to_have_count(1)
    await expect(hit).to_contain_text("Why does the quokka smile?")
    await expect(hit).to_contain_text("Prompt · A long talk")
    await expect(hit.locator("mark")).to_have_text(["quokka", "smi"])
    await expect_chosen(viewer, "quokka")
    await viewer.page.keyboard.press("Enter")
    await expect_shown(viewer, "A long talk")
    await expect(at(viewer, "ask")).to_be_in_viewport()
    await expect(at(viewer, "ask")).to_have_css("outline-style", "solid")
    marked = "[...CSS.highlights.get('log-found') ?? []].map((range) => range.toString())"
    assert await viewer.page.evaluate(marked) == ["quokka", "smi"]
    await expect(viewer.page.get_by_role("main")).to_have_css("outline-style", "none")
    await expect(at(viewer, "ask")).to_have_css("outline-style", "none")  # after a while

    await viewer.log.focus()  # and within the session that is shown already
    await open_palette(viewer, "answer 57")
    await hit.filter(has_text="answer 57").first.click()
    await expect(at(viewer, "b57")).to_be_in_viewport()
    await expect(at(viewer, "ask")).not_to_be_in_viewport()


async def test_actions_are_those_that_can_be_done_now(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.app.sessions.rename(session, "To be renamed")
    await expect_shown(viewer, "To be renamed")
    await open_palette(viewer)
    here = {
        "Actions": ("New session", "Home", "Settings"),
        "This session": ("Rename…", "Close Tab (Hide)", "Copy link", "Delete…"),
    }
    for named, actions in here.items():
        for name in actions:
            await expect(group(viewer, named).get_by_role("option").filter(has_text=name)).to_have_count(1)
    await expect(group(viewer, "This session")).not_to_contain_text("To be renamed")  # as the bar does
    for name in ("Stop the run", "Open Latest Diff", "Review changes", "Go to the next question"):
        await expect(palette(viewer).get_by_role("option").filter(has_text=name)).to_have_count(0)
    await expect(option(viewer, "New session").locator("kbd")).to_have_text("Alt+N")
    await viewer.page.keyboard.type("ren")
    await expect_chosen(viewer, "Rename…")
    await viewer.page.keyboard.press("Enter")
    title = viewer.page.get_by_role("dialog", name="Rename session").get_by_role("textbox")
    await expect(title).to_be_focused()
    await title.fill("By the palette")
    await title.press("Enter")
    await expect_shown(viewer, "By the palette")

    viewer.live.say(session, "demo:slow")
    await viewer.live.until_streaming(session)
    await open_palette(viewer, "stop")
    await expect_chosen(viewer, "Stop the run")
    await viewer.page.keyboard.press("Enter")
    await viewer.live.until_idle(session)
    await viewer.live.play(session, "demo:edit")
    await open_palette(viewer, "review")
    await expect_chosen(viewer, "Review changes")
    await viewer.page.keyboard.press("Enter")
    await expect(viewer.page.get_by_role("region", name="Line-by-line changes")).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await open_palette(viewer, "home")
    await viewer.page.keyboard.press("Enter")
    await expect_shown(viewer, "Home")


async def test_a_question_that_waits_is_one_step_away(viewer: Viewer) -> None:
    asking = await named(viewer, "The asking one")
    await viewer.create()
    viewer.live.say(asking, "demo:approval")
    ask = await viewer.live.until_ask(asking)
    await expect(viewer.page.get_by_role("button", name="Waiting in other sessions")).to_be_visible()
    await open_palette(viewer, "question")
    await expect_chosen(viewer, "Go to the next question")
    await viewer.page.keyboard.press("Enter")
    await expect_shown(viewer, "The asking one")
    await expect(viewer.page.get_by_role("article", name=ask.title).first).to_be_focused()
    viewer.live.app.prompts.interrupt(asking)
    await viewer.live.until_idle(asking)


async def test_a_command_goes_into_the_input_and_loses_nothing_that_is_there(viewer: Viewer) -> None:
    await viewer.create()
    await open_palette(viewer, "/pla")
    await expect_chosen(viewer, "/plan")
    await viewer.page.keyboard.press("Enter")
    await expect(viewer.input).to_be_focused()
    await viewer.page.keyboard.type("the bridge")
    await expect(viewer.input).to_have_value("/plan the bridge")
    await open_palette(viewer, "/compact")
    await expect_chosen(viewer, "/compact")
    await viewer.page.keyboard.press("Enter")
    await expect(viewer.page.get_by_text("The input isn't empty.")).to_be_visible()
    await expect(viewer.input).to_have_value("/plan the bridge")


async def test_a_setting_is_found_by_its_words_and_its_key_and_has_the_focus(viewer: Viewer) -> None:
    await viewer.create()
    settings = viewer.page.get_by_role("dialog", name="Settings")
    for typed, found, label in (
        ("sandbox", "bascule.codex.sandbox", "Sandbox"),
        ("high contrast", "Theme", "Theme"),
    ):
        await open_palette(viewer, typed)
        await expect(group(viewer, "Settings").get_by_role("option").first).to_contain_text(found)
        await group(viewer, "Settings").get_by_role("option").first.click()
        await expect(settings.get_by_role("combobox", name=label)).to_be_focused()
        await expect(settings.get_by_role("combobox", name=label)).to_be_in_viewport()
        await viewer.page.keyboard.press("Escape")
        await expect(settings).to_have_count(0)


async def test_escape_the_same_keys_and_a_click_beside_it_close_it_and_the_focus_returns(
    viewer: Viewer,
) -> None:
    await viewer.create()
    hint = viewer.page.get_by_role("button", name="Search everything")
    await expect(hint).to_have_text(re.compile("Ctrl\\+K"))
    for way in ("Escape", "Control+k", "beside", "button"):
        await viewer.input.focus()
        await open_palette(viewer, "something")
        if way == "beside":
            await viewer.page.mouse.click(5, 5)
        elif way == "button":
            await palette(viewer).get_by_role("button", name="Close").click()
        else:
            await viewer.page.keyboard.press(way)
        await expect(palette(viewer)).to_have_count(0)
        await expect(viewer.input).to_be_focused()
    await hint.click()
    await expect(field(viewer)).to_be_focused()
    await expect(field(viewer)).to_have_value("")
    await viewer.page.keyboard.press("Escape")
    await expect(hint).to_be_focused()


async def test_a_row_keeps_its_element_while_sessions_change(viewer: Viewer) -> None:
    await named(viewer, "Steady row")
    busy = await viewer.create()
    await open_palette(viewer, "stead")
    await expect_chosen(viewer, "Steady row")
    row = await option(viewer, "Steady row").element_handle()
    assert row is not None
    for title in ("Steady newcomer", "Steady newcomer again"):
        await viewer.live.app.sessions.rename(busy, title)
        await expect(group(viewer, "Sessions").get_by_text(title, exact=True)).to_have_count(1)
    assert await row.evaluate("(one) => one.isConnected")
    await expect(palette(viewer).get_by_role("option", selected=True)).to_have_count(1)


async def test_it_says_when_nothing_was_found(viewer: Viewer) -> None:
    await viewer.create()
    await open_palette(viewer, "zzqqxx")
    status = palette(viewer).get_by_role("status").filter(has_text="zzqqxx")
    await expect(status).to_have_text("Nothing matches “zzqqxx”.")
    await expect(palette(viewer).get_by_role("option")).to_have_count(0)
    await viewer.page.keyboard.press("Enter")  # nothing to open
    await expect(field(viewer)).to_be_focused()


async def test_hostile_names_and_texts_are_shown_and_nothing_more(viewer: Viewer) -> None:
    session = await viewer.create()
    for n, text in enumerate(MARKUP.values()):
        await named(viewer, f"hostile {text}")
        put(viewer, session, AssistantBlock(id=BlockId(f"h{n}"), text=f"vilest {text}", status="completed"))
    await viewer.live.app.sessions.rename(session, "carrier\u202e of texts")
    await open_palette(viewer, "hostile")
    await expect(group(viewer, "Sessions").get_by_role("option")).to_have_count(8)
    await expect(group(viewer, "Sessions")).to_contain_text(f"8 of {len(MARKUP)}")
    await field(viewer).fill("vilest")
    await expect(group(viewer, "In conversations").get_by_role("option")).to_have_count(3)
    await expect(group(viewer, "In conversations")).to_contain_text("carrier<U+202E> of texts")
    assert await palette(viewer).locator("[role=option] :is(img, script, iframe, a)").count() == 0


async def test_closed_and_opened_again_at_once_it_stays_open(viewer: Viewer) -> None:
    """Closing takes a step back in the tab's history, which the browser takes a moment later."""
    await viewer.create()
    await open_palette(viewer)
    for _ in range(5):
        await viewer.page.keyboard.press("Escape")
        await open_palette(viewer)
    await viewer.page.evaluate("new Promise((done) => setTimeout(done, 100))")
    await expect(field(viewer)).to_be_focused()
    await viewer.page.go_back()
    await expect(palette(viewer)).to_have_count(0)


async def test_it_is_accessible_in_each_state_and_does_not_move(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await load_axe(viewer.page)
        session = await viewer.create()
        put(viewer, session, UserBlock(id=BlockId("u"), text="Explain the session settings"))
        await viewer.live.app.sessions.rename(session, "Axe here")
        for typed in ("", "se", "zzqqxx"):
            await open_palette(viewer, typed)
            if typed == "se":
                await expect(group(viewer, "In conversations")).to_be_visible()
            assert await find_violations(viewer.page) == []
            assert await find_nameless(viewer.page) == []
            assert await palette(viewer).evaluate("(one) => one.getAnimations({ subtree: true }).length") == 0
            await viewer.page.keyboard.press("Escape")


async def test_on_a_phone_it_is_opened_from_the_drawer_and_fills_the_width(served: ServedPage) -> None:
    async with served.viewer(has_touch=True, is_mobile=True) as viewer:
        await named(viewer, "Found by thumb " + "and long " * 15)
        await viewer.page.set_viewport_size(PHONE)
        await viewer.enter()
        show = viewer.page.get_by_role("button", name="Show sessions")
        await show.tap()
        await viewer.page.get_by_role("button", name="Search everything").tap()
        await expect(field(viewer)).to_be_focused()
        await expect(viewer.page.get_by_role("navigation")).to_have_count(0)  # the drawer is put away
        assert await field(viewer).evaluate("(one) => getComputedStyle(one).fontSize") == "16px"
        await field(viewer).fill("thumb")
        row = await option(viewer, "Found by thumb").bounding_box()
        assert row
        assert row["height"] >= 44
        box = await palette(viewer).bounding_box()
        assert box
        assert (box["x"], box["width"]) == (0, PHONE["width"])
        assert await scroll_width(viewer.page) == 0
        await palette(viewer).get_by_role("button", name="Close").tap()
        await expect(show).to_be_focused()
        await open_palette(viewer, "thumb")
        await option(viewer, "Found by thumb").tap()
        await expect(palette(viewer)).to_have_count(0)
        await expect_shown(viewer, "Found by thumb")


async def test_before_the_session_list_it_is_not_downloaded(viewer: Viewer) -> None:
    loaded: list[str] = []
    viewer.page.on("request", lambda request: loaded.append(request.url))
    await viewer.create()
    assert not [url for url in loaded if "palette-" in url]
    await open_palette(viewer)
    assert [url for url in loaded if "/palette-" in url and url.endswith(".js")]
