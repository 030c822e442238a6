"""The page for those who do not see it, do not use a mouse, need contrast, or hold a small screen."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.e2e.live_app import said
from tests.page.filled_models import make_agent, make_asks, make_blocks, make_latest, make_queue
from tests.page.listener import find_nameless, find_violations, load_axe
from tests.page.side_effects import scroll_width
from tests.page.viewer import ServedPage, Viewer

from bascule.model.changes import AskClosed, AskOpened, BlockPut, DiffSet, QueueSet, StatusSet, UsageSet
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import AgentNotify
from bascule.model.session import Usage

pytestmark = pytest.mark.asyncio(loop_scope="session")

MAX_STEPS = 80  # of the Tab key, until a control is reached
OUT_OF_REACH = """() => [...document.querySelectorAll("button, a, input, textarea, select, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert], .unseen"))
  .filter((one) => {
    one.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const box = one.getBoundingClientRect();
    return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
  })
  .map((one) => one.outerHTML.slice(0, 160))"""


@pytest_asyncio.fixture(loop_scope="session")
async def reader(served: ServedPage) -> AsyncIterator[Viewer]:
    async with served.viewer() as viewer:
        await load_axe(viewer.page)
        yield viewer


async def full_session(viewer: Viewer) -> SessionId:
    """Every kind of block with its details open, a queue, a usage, limits and notices."""
    session = await viewer.live.begin()
    text = "# A title\n\nSome `code`, a [link](README.md) and\n\n```python\nprint(1)\n```"
    agent = make_agent(viewer.live.see(session).workspace, "a notice")
    viewer.live.app.hub.apply(
        session,
        [
            *(BlockPut(block) for block in make_blocks(text)),
            QueueSet(make_queue("said later"), held=True),
            UsageSet(Usage(context_used=9_000, context_window=10_000)),
            DiffSet(make_latest("print(1)")),
            StatusSet("working"),
        ],
    )
    await viewer.enter(session)
    viewer.live.app.surfaces.broadcast("agent.state", AgentNotify(state=agent))
    await viewer.rest()
    return session


async def open_details(viewer: Viewer) -> None:
    closed = viewer.page.locator("details:not([open]) > summary")
    while await closed.count():
        await closed.first.click()


async def reach_welcome(viewer: Viewer) -> None:
    for head in viewer.live.app.hub.heads():
        viewer.live.app.sessions.hide(head.id)
    await viewer.enter()
    await expect(viewer.page.get_by_role("main")).to_be_visible()


async def reach_blocks(viewer: Viewer) -> None:
    await viewer.page.set_viewport_size({"width": 1280, "height": 9_000})
    await full_session(viewer)
    await expect(viewer.block("error")).to_be_visible()
    await open_details(viewer)
    await expect(viewer.log.get_by_role("grid").or_(viewer.log.get_by_text("print(1)")).first).to_be_visible()


async def reach_asks(viewer: Viewer) -> None:
    session = await viewer.live.begin()
    asks = make_asks("May this be done?")
    viewer.live.app.hub.apply(session, [AskOpened(ask) for ask in asks])
    await viewer.page.set_viewport_size({"width": 1280, "height": 3_000})
    await viewer.enter(session)
    await expect(viewer.page.get_by_role("article", name="May this be done?")).to_have_count(len(asks))


async def reach_inbox(viewer: Viewer) -> None:
    await reach_asks(viewer)
    await viewer.show(await viewer.live.begin())
    await viewer.page.get_by_role("button", name="Waiting in other sessions").click()
    heading = viewer.page.get_by_role("heading", name="Waiting for your answer", exact=True)
    await expect(heading).to_be_visible()


async def reach_commands(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.input.press_sequentially("/")
    await expect(viewer.page.get_by_role("option", name="/new")).to_be_visible()


async def reach_mentions(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.input.press_sequentially("see @read")
    await expect(viewer.page.get_by_role("option", name="@README.md")).to_be_visible()


async def reach_menu(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.open_menu()
    await expect(viewer.page.get_by_role("menu")).to_be_visible()


async def reach_settings(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.page.get_by_role("button", name="Settings").click()
    await expect(viewer.page.get_by_role("dialog").get_by_text("codex.command")).to_be_visible()


async def reach_help(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.page.get_by_role("button", name="Keyboard and commands").click()
    await expect(viewer.page.get_by_role("dialog").get_by_text("Ctrl+K")).to_be_visible()


async def reach_diff(viewer: Viewer) -> None:
    await full_session(viewer)
    await viewer.page.get_by_role("button", name="Open Latest Diff").click()
    await expect(viewer.pane.get_by_text("print(1)").first).to_be_visible()


async def reach_file(viewer: Viewer) -> None:
    # All of the log in view: a click that scrolls a virtual list makes another link the first one.
    await viewer.page.set_viewport_size({"width": 1280, "height": 9_000})
    await full_session(viewer)
    await expect(viewer.block("error")).to_be_visible()
    await viewer.log.get_by_role("link", name="link").first.click()
    await expect(viewer.page.get_by_role("dialog").get_by_text("wordkit").first).to_be_visible()


async def reach_review(viewer: Viewer) -> None:
    session = await viewer.live.begin()
    await viewer.live.play(session, "demo:edit")
    await viewer.enter(session)
    await viewer.block("user").hover()
    await viewer.block("user").get_by_role("button", name="Review changes").click()
    lines = viewer.page.get_by_role("region", name="Line-by-line changes")
    await expect(lines.locator(".hljs-string.diff-word").first).to_be_visible()


async def reach_context(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.page.get_by_role("button", name="Add context").click()
    await expect(viewer.page.get_by_role("combobox", name="Find a file")).to_be_visible()


async def reach_models(viewer: Viewer) -> None:
    await viewer.enter(await viewer.live.begin())
    await viewer.page.get_by_role("button", name="Model: ").click()
    await expect(viewer.page.get_by_role("group", name="Effort for demo", exact=True)).to_be_visible()


async def reach_narrow(viewer: Viewer) -> None:
    await full_session(viewer)
    await viewer.page.set_viewport_size({"width": 360, "height": 740})
    await expect(viewer.log).to_be_visible()


Reach = Callable[[Viewer], Awaitable[None]]
PLACES: dict[str, Reach] = {
    name.removeprefix("reach_"): reach for name, reach in globals().items() if name.startswith("reach_")
}


@pytest.mark.parametrize("place", PLACES)
async def test_no_rule_of_accessibility_is_broken_and_every_control_has_a_name(
    reader: Viewer, place: str
) -> None:
    await PLACES[place](reader)
    assert await find_violations(reader.page) == []
    assert await find_nameless(reader.page) == []
    withdraw_all(reader)


def withdraw_all(viewer: Viewer) -> None:
    hub = viewer.live.app.hub
    for head in hub.heads():
        if head.asks:
            hub.apply(head.id, [AskClosed(ask.id, "withdrawn") for ask in head.asks])


# -- without a mouse --


async def walk(viewer: Viewer, to: Locator, key: str = "Tab") -> None:
    """With the Tab key, as somebody does who knows no shortcut."""
    for _ in range(MAX_STEPS):
        if await to.count() == 1 and await to.evaluate("(one) => one === document.activeElement"):
            return
        await viewer.page.keyboard.press(key)
    raise AssertionError(f"{MAX_STEPS} steps did not lead to {to}")


async def answer_asks(viewer: Viewer, session: SessionId, prompt: str) -> None:
    """Of that prompt's run: each with its first answer, until the run is over."""
    lane = viewer.live.app.roster.lane(session)
    await viewer.live.until(session, lambda seen: prompt in said(seen))
    while (seen := await viewer.live.until_head(session, lambda seen: seen.asks or lane.idle)).asks:
        ask = seen.asks[0]
        yes = viewer.page.get_by_role("button", name=ask.choices[0].label, exact=True)
        await expect(yes).to_be_visible()
        await walk(viewer, yes, "Shift+Tab")
        while ask in viewer.live.see(session).asks:  # what has just appeared takes no answer for a moment
            await viewer.page.keyboard.press("Enter")


async def test_everything_is_done_without_a_mouse(viewer: Viewer) -> None:
    page, keys = viewer.page, viewer.page.keyboard
    other = await viewer.live.begin()
    await viewer.enter()
    await expect(viewer.input).to_be_visible()
    await keys.press("Tab")
    skip = page.get_by_role("link", name="Skip to")
    await expect(skip).to_be_focused()
    await walk(viewer, page.get_by_role("button", name="New", exact=True))
    await keys.press("Enter")
    chosen = page.get_by_role("tab", selected=True)
    await expect(chosen).not_to_have_attribute("data-session", other)
    session = SessionId(await chosen.get_attribute("data-session") or "")

    await walk(viewer, viewer.input)
    await keys.type("demo:approval")
    await keys.press("Enter")
    await answer_asks(viewer, session, "demo:approval")
    assert said(viewer.live.see(session)) == ["demo:approval"]

    await walk(viewer, viewer.input)
    await keys.type("demo:edit")
    await keys.press("Enter")
    await answer_asks(viewer, session, "demo:edit")
    diff = page.get_by_role("button", name="Open Latest Diff")
    await expect(diff).to_be_enabled()
    await walk(viewer, diff, "Shift+Tab")
    await keys.press("Enter")
    await expect(viewer.pane).to_be_visible()
    await keys.press("Escape")
    await expect(viewer.pane).to_have_count(0)
    await expect(diff).to_be_focused()

    await walk(viewer, chosen)
    await keys.press("Shift+F10")
    await page.get_by_role("menuitem", name="Rename").press("Enter")
    await expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    await keys.press("ControlOrMeta+a")
    await keys.type("named by hand")
    await keys.press("Enter")
    await expect(chosen).to_contain_text("named by hand")
    await walk(viewer, chosen)
    await keys.press("ArrowLeft")
    await keys.press("Enter")
    await expect(page.get_by_role("tab", selected=True)).to_have_attribute("data-session", other)


# -- contrast, motion, small screens --


async def test_with_forced_colours_the_focus_and_the_states_are_still_seen(served: ServedPage) -> None:
    async with served.viewer(forced_colors="active") as viewer:
        await load_axe(viewer.page)
        await full_session(viewer)
        await viewer.input.focus()
        await viewer.page.keyboard.press("Shift+Tab")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert await viewer.page.evaluate(outline) != "none"
        dot = viewer.page.get_by_role("option", selected=True).locator("svg").first
        ground = "(one) => getComputedStyle(one.closest('[role=option]')).backgroundColor"
        assert await dot.evaluate("(one) => getComputedStyle(one).color") != await dot.evaluate(ground)
        meter = viewer.page.get_by_role("meter").first.locator("span")
        assert await meter.evaluate("(one) => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_who_wants_no_motion_has_none(served: ServedPage, motion: str) -> None:
    async with served.viewer(reduced_motion=motion) as viewer:
        await full_session(viewer)
        await expect(viewer.page.get_by_role("option", selected=True).get_by_text("Working")).to_be_attached()
        moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
        some = {"no-preference": "> 1", "reduce": "=== 0"}[motion]
        await viewer.page.wait_for_function(f"() => {moving} {some}")


async def test_on_glass_the_input_is_large_enough_not_to_be_magnified_and_grows_with_its_text(
    served: ServedPage,
) -> None:
    async with served.viewer(has_touch=True, is_mobile=True) as viewer:
        await viewer.page.set_viewport_size({"width": 360, "height": 740})
        await viewer.begin()
        await expect(viewer.input).to_have_css("font-size", "16px")
        low = await viewer.input.bounding_box()
        await viewer.input.fill("as one writes on a phone, with a thumb and without line breaks " * 2)
        high = await viewer.input.bounding_box()
        assert low
        assert high
        assert high["height"] > low["height"] * 2
        assert await viewer.input.evaluate("(one) => one.scrollHeight <= one.clientHeight")


async def test_on_a_screen_of_360_pixels_nothing_is_out_of_reach(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.page.set_viewport_size({"width": 360, "height": 740})
        session = await full_session(viewer)
        await expect(viewer.block("error")).to_be_visible()
        await open_details(viewer)
        viewer.live.app.hub.apply(session, [AskOpened(make_asks("May this be done?")[0])])
        await expect(viewer.page.get_by_role("article", name="May this be done?")).to_be_visible()
        assert await scroll_width(viewer.page) == 0
        assert await viewer.page.evaluate(OUT_OF_REACH) == []
        await expect(viewer.page.get_by_role("region", name="Status")).to_be_in_viewport(ratio=1)
        await expect(viewer.log).to_be_in_viewport(ratio=1)
        copy = await viewer.block("error").get_by_role("button", name="Copy").first.bounding_box()
        assert copy
        assert copy["height"] < copy["width"]  # one word, not a column of letters
        drawer, dialog = viewer.page.get_by_role("navigation"), viewer.page.get_by_role("dialog")

        async def open_and_close(name: str, shown: Locator) -> None:
            await viewer.page.get_by_role("button", name=name).click()
            await expect(shown).to_be_visible()
            assert await scroll_width(viewer.page) == 0
            assert await viewer.page.evaluate(OUT_OF_REACH) == []
            await viewer.page.keyboard.press("Escape")
            await expect(shown).to_be_hidden()
            await expect(viewer.page.get_by_role("button", name=name)).to_be_focused()

        await open_and_close("Show sessions", drawer)
        await open_and_close("Settings", dialog)
        withdraw_all(viewer)
        await viewer.page.evaluate("location.hash = '#/'")  # a session's name needs the room
        await open_and_close("Keyboard and commands", dialog)
