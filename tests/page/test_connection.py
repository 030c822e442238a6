"""The connection as a person meets it: gone, frozen, back, shared by two browsers, and after a reload."""

import socket
from pathlib import Path

import msgspec
import psutil
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.e2e import peer
from tests.e2e.live_app import said
from tests.page.pictures import make_png
from tests.page.viewer import ServedPage, Viewer, show_session
from tests.page.wires import Wire

from bascule.cli.connect.daemon_call import call
from bascule.host.network.registration import Registration
from bascule.host.own_command import find_own_command
from bascule.model.blocks import AssistantBlock, CommandBlock
from bascule.model.changes import BlockPut, TextGrew
from bascule.model.ids import BlockId, SessionId
from bascule.serve.http import LinkReport

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOBODY = f"Connection lost: can't reach Bascule. Start it with `{find_own_command()} up --demo`."
SIGN_IN = "Sign in to Bascule"
AT_TAIL = """() => {
  const log = document.querySelector("[role=log]");
  return log.scrollHeight - log.clientHeight - log.scrollTop < 2;
}"""
SILENT = "Bascule isn't responding. What you see may be out of date."


# -- a daemon in a process of its own --


async def enter(page: Page, daemon: Registration, workspace: Path) -> None:
    report = msgspec.json.decode(call(daemon, "POST", "/link", str(workspace)), type=LinkReport)
    await page.goto(report.url)
    await expect(page.locator("body")).to_have_attribute("data-connection", "open")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def test_a_daemon_that_died_is_shown_at_once_and_one_that_came_back_shows_everything_again(
    browser: Browser, tmp_path: Path
) -> None:
    port = ("--port", str(free_port()))
    context = await browser.new_context(viewport={"width": 1280, "height": 1600})  # every block is drawn
    page = await context.new_page()
    prompt = page.get_by_role("textbox", name="Prompt to the agent")
    log = page.get_by_role("log")
    async with peer.daemon(tmp_path, "--demo", *port) as daemon:
        await enter(page, daemon, peer.project(tmp_path))
        await page.get_by_role("button", name="New", exact=True).click()
        await prompt.fill("demo:text")
        await prompt.press("Enter")
        await expect(page.get_by_role("region", name="Status")).to_contain_text("Done")
        before = await log.get_by_role("article").all_inner_texts()
        await prompt.press_sequentially(
            "half a thought", delay=60
        )  # as a person types: what was said is stored
        (tmp_path / "red.png").write_bytes(make_png(64, 48))
        async with page.expect_file_chooser() as choosing:
            await page.get_by_role("button", name="Attach").click()
        await (await choosing.value).set_files(tmp_path / "red.png")
        await expect(page.get_by_role("button", name="Show red.png")).to_be_visible()
        psutil.Process(daemon.pid).kill()
        await expect(page.get_by_role("status").filter(has_text=NOBODY)).to_be_visible()
        await expect(page.get_by_role("button", name="Retry now")).to_be_visible()
        await expect(page.get_by_role("region", name="Status")).to_contain_text("Not connected")
        assert await log.get_by_role("article").all_inner_texts() == before  # it can still be read
    async with peer.daemon(tmp_path, "--demo", *port) as daemon:
        await expect(page.get_by_role("heading", name=SIGN_IN)).to_be_visible()
        await enter(page, daemon, peer.project(tmp_path))
        await expect(log.get_by_role("article")).to_have_count(len(before))
        assert await log.get_by_role("article").all_inner_texts() == before
        await expect(prompt).to_have_value("half a thought")
        await page.get_by_role("button", name="Show red.png").locator("img").evaluate("(it) => it.decode()")
        await prompt.press("Enter")
        await log.get_by_role("button", name="Enlarge").locator("img").evaluate("(it) => it.decode()")
        await expect(page.get_by_role("region", name="Status")).to_contain_text("Done")
    await context.close()


async def test_a_daemon_that_hangs_is_shown_as_silent_and_heard_again(
    browser: Browser, tmp_path: Path
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    async with peer.daemon(tmp_path, "--demo") as daemon:
        await enter(page, daemon, peer.project(tmp_path))
        await page.get_by_role("button", name="New", exact=True).click()
        prompt = page.get_by_role("textbox", name="Prompt to the agent")
        await expect(prompt).to_be_visible()
        process = psutil.Process(daemon.pid)
        try:
            process.suspend()
            await expect(page.get_by_role("status").filter(has_text=SILENT)).to_be_visible()
        finally:
            process.resume()
        await expect(page.get_by_role("status").filter(has_text=SILENT)).to_have_count(0)
        await prompt.fill("demo:text")
        await prompt.press("Enter")
        await expect(page.get_by_role("region", name="Status")).to_contain_text("Done")
    await context.close()


# -- the same daemon, a wire that is cut --


@pytest_asyncio.fixture(loop_scope="session")
async def wired(viewer: Viewer) -> tuple[Viewer, Wire]:
    return viewer, await Wire(viewer.page).lay()


async def test_the_draft_of_a_new_session_outlives_a_restart(wired: tuple[Viewer, Wire]) -> None:
    viewer, wire = wired
    first = await viewer.create()
    await viewer.input.fill("half a thought")
    await expect(viewer.page.get_by_role("option", name="Draft: half a thought")).to_be_visible()
    await viewer.live.app.hub.purge(first)  # it was in the memory of the daemon alone
    await wire.cut()
    wire.restore()
    await expect(viewer.shown).not_to_have_attribute("data-session", first)
    await expect(viewer.input).to_have_value("half a thought")
    await expect(viewer.page.get_by_role("alert")).to_be_empty()

    second = await viewer.shown.get_attribute("data-session")
    await viewer.live.app.hub.purge(SessionId(second or ""))
    await viewer.page.reload()
    await expect(viewer.input).to_have_value("half a thought")
    await expect(viewer.shown).not_to_have_attribute("data-session", second or "")


async def test_what_happened_meanwhile_is_there_once_after_a_cut(wired: tuple[Viewer, Wire]) -> None:
    viewer, wire = wired
    session = await viewer.live.begin()
    hub = viewer.live.app.hub
    hub.apply(session, [TextGrew(BlockId("grows"), "text", "one ")])
    await viewer.enter(session)
    await expect(viewer.block("assistant")).to_contain_text("one")
    await wire.cut()
    await expect(viewer.page.get_by_role("status").filter(has_text="Connection lost.")).to_be_visible()
    ended = AssistantBlock(id=BlockId("later"), text="came while nobody looked", status="completed")
    hub.apply(session, [TextGrew(BlockId("grows"), "text", "two "), BlockPut(ended)])
    wire.restore()
    await expect(viewer.block("assistant")).to_have_count(2)
    hub.apply(session, [TextGrew(BlockId("grows"), "text", "three")])
    await expect(viewer.block("assistant").first).to_contain_text("one two three")
    await expect(viewer.log.get_by_text("came while nobody looked")).to_have_count(1)
    await expect(viewer.page.get_by_role("status").filter(has_text="Reconnected.")).to_be_visible()


async def test_a_prompt_said_into_a_cut_wire_is_kept_and_sent_once(wired: tuple[Viewer, Wire]) -> None:
    viewer, wire = wired
    session = await viewer.live.begin()
    await viewer.enter(session)
    await wire.cut()
    await viewer.say("said while nobody heard")
    kept = viewer.page.get_by_role("status").filter(has_text="said while nobody heard")
    await expect(kept).to_contain_text("Not sent yet. It will be sent when the connection is back:")
    await viewer.page.reload()  # and with the browser closed and opened again
    wire.restore()
    await expect(viewer.block("user")).to_have_count(1)
    await expect(kept).to_have_count(0)
    seen = await viewer.live.until_idle(session)
    assert said(seen) == ["said while nobody heard"]


async def test_a_prompt_whose_answer_was_lost_is_not_said_twice(wired: tuple[Viewer, Wire]) -> None:
    viewer, wire = wired
    session = await viewer.live.begin()
    await viewer.enter(session)
    wire.cuts_after = lambda method: method == "run.start"
    await viewer.say("said once")
    await viewer.live.until(session, said)
    await wire.cut()
    await expect(viewer.page.get_by_role("status").filter(has_text="said once")).to_be_visible()
    wire.restore()
    await expect(viewer.block("user")).to_have_count(1)
    await expect(viewer.page.get_by_role("status").filter(has_text="said once")).to_have_count(0)
    assert wire.sent.count("run.start") == 2
    assert said(await viewer.live.until_idle(session)) == ["said once"]


async def test_what_was_cut_off_before_its_answer_is_not_called_undone(wired: tuple[Viewer, Wire]) -> None:
    viewer, wire = wired
    session = await viewer.live.begin()
    await viewer.enter(session)
    wire.cuts_after = lambda method: method == "session.rename"
    await viewer.open_menu()
    await viewer.page.get_by_role("menuitem", name="Rename").click()
    await viewer.page.get_by_role("textbox", name="Title").fill("Done all the same")
    await viewer.page.keyboard.press("Enter")
    await viewer.live.until_head(session, lambda head: head.title == "Done all the same")
    await wire.cut()
    said_of_it = viewer.page.get_by_role("region", name="Messages")
    await expect(said_of_it).to_contain_text("The connection was lost before the reply arrived")
    await expect(said_of_it).not_to_contain_text("Nothing was sent")
    wire.restore()
    heading = viewer.page.get_by_role("banner").get_by_role("heading", level=1)
    await expect(heading).to_have_text("Done all the same")


# -- two browsers --


async def test_two_browsers_show_the_same_and_one_takes_over_from_the_other(served: ServedPage) -> None:
    session = await served.live.begin()
    async with served.viewer() as left, served.viewer() as right:
        await left.enter(session)
        await right.enter(session)
        await left.say("demo:slow")
        await served.live.until_streaming(session)
        drives = right.page.get_by_role("status").filter(has_text="is driving this session.")
        await expect(drives).to_be_visible()
        await expect(left.page.get_by_text("is driving this session.")).to_have_count(0)
        await drives.get_by_role("button", name="Take over").click()
        driver = left.page.get_by_role("status").filter(has_text="is driving this session.")
        await expect(driver).to_be_visible()
        await expect(drives).to_have_count(0)
        await right.page.get_by_role("button", name="Stop").click()
        seen = await served.live.until_idle(session)
        assert seen.runs[-1].outcome == "interrupted"
        for viewer in (left, right):
            await expect(viewer.log.get_by_role("article")).to_have_count(len(seen.blocks))
        texts = [await viewer.log.get_by_role("article").all_inner_texts() for viewer in (left, right)]
        assert texts[0] == texts[1]


# -- a reload --


async def test_after_a_reload_everything_is_as_it_was(viewer: Viewer) -> None:
    first, second = await viewer.live.begin(), await viewer.live.begin()
    lines = "".join(f"line {at}\n" for at in range(400))
    long = [AssistantBlock(id=BlockId(f"b{at}"), text=f"para {at}\n\n" * 20, final=True) for at in range(30)]
    ran = CommandBlock(id=BlockId("ran"), command="make", output=lines, status="completed")
    viewer.live.app.hub.apply(first, [*map(BlockPut, long), BlockPut(ran)])
    page = viewer.page
    await viewer.enter(second)
    await viewer.show(first)
    await viewer.block("command").locator("summary").click()
    await expect(page.get_by_text("line 399")).to_be_visible()
    await viewer.input.fill("not yet said")
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("combobox", name="Theme").select_option("dark")
    await page.get_by_role("combobox", name="Language").select_option("ja")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="セッション一覧を隠す").click()
    await expect(page.get_by_role("navigation")).to_have_count(0)
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(page.locator("html")).to_have_attribute("lang", "ja")
    await expect(page.get_by_role("navigation")).to_have_count(0)
    await expect(viewer.shown).to_have_attribute("data-session", first)
    await expect(page.locator("textarea.composer-input")).to_have_value("not yet said")
    await expect(page.get_by_text("line 399")).to_be_in_viewport()
    await page.wait_for_function(AT_TAIL)


async def until_stored(page: Page, text: str) -> None:
    await page.wait_for_function("(text) => JSON.stringify({ ...localStorage }).includes(text)", arg=text)


async def test_two_windows_of_one_browser_lose_nothing_of_each_other(viewer: Viewer) -> None:
    first, second = await viewer.live.begin(), await viewer.live.begin()
    await viewer.enter(first)
    other = await viewer.page.context.new_page()
    await other.goto(viewer.page.url)
    await show_session(other, second)
    draft = other.get_by_role("textbox", name="Prompt to the agent")
    await draft.fill("in the second window")
    await until_stored(other, "in the second window")  # nobody types in two windows at once
    await viewer.input.fill("in the first window")
    await until_stored(viewer.page, "in the first window")
    for page, session, text in ((viewer.page, first, "first"), (other, second, "second")):
        await page.reload()  # each shows what it showed
        await expect(page.get_by_role("main")).to_have_attribute("data-session", session)
        prompt = page.get_by_role("textbox", name="Prompt to the agent")
        await expect(prompt).to_have_value(f"in the {text} window")
    await other.close()
    await viewer.page.reload()
    await viewer.show(second)
    await expect(viewer.input).to_have_value("in the second window")


async def test_a_long_draft_is_whole_and_is_so_after_a_reload(viewer: Viewer) -> None:
    await viewer.begin()
    await viewer.input.fill("bridge " * 50_000)
    await viewer.page.reload()
    await expect(viewer.log).to_be_visible()
    assert await viewer.input.input_value() == "bridge " * 50_000


# -- keys --


async def test_a_page_whose_script_does_not_start_says_so(viewer: Viewer, browser: Browser) -> None:
    words = "Bascule's page didn't start."
    await viewer.create()
    await expect(viewer.page.get_by_text(words)).to_have_count(0)  # its script did
    async with await browser.new_context(java_script_enabled=False) as context:
        page = await context.new_page()
        await page.goto(viewer.page.url)
        await expect(page.get_by_text(words)).to_be_visible()


async def test_a_key_that_is_no_longer_good_is_shown_with_the_way_in(wired: tuple[Viewer, Wire]) -> None:
    viewer, wire = wired
    session = await viewer.live.begin()
    await viewer.enter(session)
    await viewer.page.context.clear_cookies()
    await wire.cut()
    await expect(viewer.page.get_by_role("heading", name=SIGN_IN)).to_be_visible()
    await expect(
        viewer.page.get_by_role("textbox", name=f"Link from {find_own_command()} up")
    ).to_be_visible()
    await expect(viewer.page.get_by_text("Retrying")).to_have_count(0)
    await viewer.page.close()
    viewer.faults.clear()  # the browser's own lines about the 401s
