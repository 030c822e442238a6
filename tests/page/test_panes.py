"""Terminals in the page: real shells, typed into, split, resized, reloaded, flooded."""

import asyncio
import base64
import re
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.page.listener import find_nameless, find_violations, load_axe
from tests.page.test_board import Claude, write_rollout
from tests.page.test_home import card_of, go_home
from tests.page.viewer import ServedPage, Viewer
from tests.page.wire_log import overhear, params_of
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Without a graphics card the text is in elements, where a test can read it.
NO_WEBGL = """
const given = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : given.call(this, kind, ...more);
};
"""


# From its left to its right edge, in a bar that scrolls.
IS_WHOLE = """(tab) => {
  const [own, bar] = [tab, tab.parentElement].map((one) => one.getBoundingClientRect());
  return own.left >= bar.left - 1 && own.right <= bar.right + 1;
}"""


class Terminals:
    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.page = viewer.page
        self.panes = self.page.locator(".panes-pane")
        self.active = self.page.locator(".panes-active")

    async def open(self) -> None:
        await self.viewer.page.get_by_role("button", name="Terminals").click()
        await self.ready()

    async def ready(self) -> None:
        """The shell of the active pane has shown its prompt, and the keys go to it."""
        await expect(self.text(self.active)).to_contain_text(re.compile(r"[$#]"))
        await expect(self.active.locator("textarea")).to_be_focused()

    def text(self, pane: Locator) -> Locator:
        return pane.locator(".xterm-rows")

    async def type(self, line: str) -> None:
        await self.page.keyboard.type(f"{line}\n")

    async def shows(self, text: str, pane: Locator | None = None) -> None:
        await expect(self.text(pane or self.active)).to_contain_text(text)

    async def left_line(self) -> None:
        """After Ctrl+C: bash keeps the line, and adds to it, where keys come before its new prompt."""
        await expect(self.text(self.active)).to_contain_text(re.compile(r"\^C\s*ready>"))

    def button(self, name: str) -> Locator:
        return self.page.locator(".panes-bar").get_by_role("button", name=name)


@pytest_asyncio.fixture(loop_scope="session")
async def terminals(served: ServedPage) -> AsyncIterator[Terminals]:
    """Each test begins without a pane."""
    for pane in served.live.app.panes.all():
        await served.live.app.panes.close_pane(pane.pane_id)
    async with served.viewer() as viewer:
        await viewer.page.add_init_script(NO_WEBGL)
        await load_axe(viewer.page)
        await viewer.enter()
        terminals = Terminals(viewer)
        await terminals.open()
        yield terminals


async def test_a_shell_is_typed_into_split_resized_and_is_there_after_a_reload(terminals: Terminals) -> None:
    page = terminals.page
    await terminals.type("echo fir''st-$((6*7)); printf '\\033[38;2;200;10;10mred\\033[0m 猫🐈\\n'")
    await terminals.shows("first-42")
    await terminals.shows("猫")
    await terminals.button("Split right").click()
    await expect(terminals.panes).to_have_count(2)
    await terminals.ready()
    await terminals.type("echo sec''ond; stty size")
    await terminals.shows("second")
    cols = await _read_columns(terminals)
    divider = page.get_by_role("separator", name="Size of the two terminals")
    await divider.focus()
    for _ in range(4):
        await page.keyboard.press("ArrowLeft")
    await terminals.active.locator("textarea").focus()
    await expect(page.locator(".panes-place").nth(1)).to_have_attribute("style", re.compile(r"left: 30%"))
    async with asyncio.timeout(PATIENCE_S):
        while await _read_columns(terminals) <= cols:
            await terminals.type("clear; stty size")
    await terminals.button("New terminal").click()
    await expect(page.locator(".panes-tab")).to_have_count(2)
    await page.reload()
    await terminals.page.get_by_role("button", name="Terminals").click()
    await expect(page.locator(".panes-tab")).to_have_count(2)
    await page.locator(".panes-tab").first.click()
    await terminals.shows("first-42", terminals.panes.first)
    await terminals.panes.first.locator("textarea").focus()
    await terminals.type("echo aft''er")
    await terminals.shows("after", terminals.panes.first)
    await page.set_viewport_size({"width": 360, "height": 740})  # no room for a split: each has a tab
    await expect(page.locator(".panes-tab")).to_have_count(3)
    await expect(page.locator(".panes-place:not(.panes-behind)")).to_have_count(1)
    await page.locator(".panes-tab").nth(2).click()
    await page.reload()
    await page.get_by_role("button", name="Terminals").click()
    await terminals.ready()
    await page.wait_for_function(IS_WHOLE, arg=await page.locator(".panes-tab").nth(2).element_handle())
    await page.locator(".panes-tab").first.click()
    await terminals.shows("after", terminals.panes.first)


async def test_a_click_on_the_tab_that_is_shown_gives_its_terminal_the_keys(terminals: Terminals) -> None:
    """The click itself takes the focus away from it."""
    await terminals.page.locator(".panes-tab").click()
    await expect(terminals.active.locator("textarea")).to_be_focused()
    await terminals.type("echo he''ard")
    await terminals.shows("heard")


async def _read_columns(terminals: Terminals) -> int:
    """Read and judged in one go: a `clear` may empty the screen at any moment."""
    async with asyncio.timeout(PATIENCE_S):
        screen = terminals.text(terminals.active)
        while not (sizes := re.findall(r"\b\d+ (\d+)\b", await screen.inner_text())):
            await asyncio.sleep(0.05)
    return int(sizes[-1])


async def test_a_flood_leaves_the_page_usable_and_ctrl_c_ends_it(terminals: Terminals) -> None:
    page = terminals.page
    await terminals.type("yes")
    await terminals.shows("y")
    (pane,) = terminals.viewer.live.app.panes.all()
    kept = terminals.viewer.live.app.panes.get(pane.pane_id).kept
    await until(lambda: kept.end >= 3_000_000, "the flood")
    await page.keyboard.press("Control+c")
    await terminals.type("echo st''opped")
    await terminals.shows("stopped")


async def test_what_is_found_copied_and_pasted(terminals: Terminals) -> None:
    page = terminals.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await terminals.type("for i in 1 2 3; do echo nee''dle-$i; done")
    await terminals.shows("needle-3")
    await page.keyboard.press("Control+Shift+F")
    find = page.get_by_role("searchbox", name="Find in this terminal")
    await find.fill("needle-")
    await expect(page.locator(".panes-found")).to_have_text("3 of 3")
    await find.press("Enter")
    await expect(page.locator(".panes-found")).to_have_text("2 of 3")
    await find.press("Escape")
    await expect(find).to_have_count(0)
    await page.evaluate("navigator.clipboard.writeText('echo pas' + 'ted-$((1+1))')")
    await page.keyboard.press("Control+Shift+V")
    await page.keyboard.press("Enter")
    await terminals.shows("pasted-2")


async def test_a_paste_presses_no_key(terminals: Terminals, tmp_path: Path) -> None:
    page = terminals.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hostile = f"echo harm''less\x1b[201~\rtouch {tmp_path}/evil\r"
    await terminals.type("bind 'set enable-bracketed-paste on'; PS1='rea''dy> '")
    await terminals.shows("ready>")  # the shell reads its keys itself again
    await page.evaluate("text => navigator.clipboard.writeText(text)", hostile)
    for way in ("Control+Shift+V", "Shift+Insert"):  # ours, and the browser's own
        await page.keyboard.press(way)
        await terminals.shows("[201~")
        await terminals.shows("/evil")
        await page.keyboard.press("Control+C")
        await terminals.left_line()
        await terminals.type("clear; echo sti''ll-here")
        await expect(terminals.text(terminals.active)).to_contain_text(re.compile(r"^\s*still-here\s*ready>"))
        assert not (tmp_path / "evil").exists(), way
    await expect(page.get_by_text("Control characters were removed").first).to_be_visible()

    # A program that takes each newline for Enter: shown first, and Enter from habit pastes nothing.
    await terminals.type("echo ta''king; cat > taken.txt")
    await terminals.shows("taking")
    await page.keyboard.press("Control+Shift+V")
    asked = page.get_by_role("alertdialog")
    await expect(asked).to_contain_text("It presses Enter 2×")
    await expect(asked.locator("pre")).to_contain_text(f"touch {tmp_path}/evil")
    await page.keyboard.press("Enter")
    await expect(asked).to_have_count(0)
    await expect(terminals.active.locator("textarea")).to_be_focused()
    await page.keyboard.press("Shift+Insert")
    await asked.get_by_role("button", name="Paste").click()
    await terminals.shows("touch")
    await page.keyboard.press("Control+D")
    await terminals.type("wc -l taken.txt; rm taken.txt")
    await terminals.shows("2 taken.txt")


async def test_what_a_terminal_is_asked_is_answered_once_and_by_the_page_that_types(
    served: ServedPage, terminals: Terminals
) -> None:
    """Old bytes that are shown again, and a page that only looks, press no key."""
    page = terminals.page
    heard = overhear(page)
    await page.reload()
    await terminals.open()

    def typed() -> list[bytes]:
        return [base64.b64decode(one["data"]) for one in params_of(heard, "pane.write")]

    ask = "((n+=1)); read -rs -t 5 -d y -p $'\\e[?1$p' answer; echo \"got $n ${#answer}\""
    await terminals.type(ask)
    await terminals.shows("got 1 7")  # a live question of a program: this page types, and answers
    async with served.viewer() as other:
        await other.page.add_init_script(NO_WEBGL)
        theirs, also = Terminals(other), overhear(other.page)
        await other.enter()
        await other.page.get_by_role("button", name="Terminals").click()
        await theirs.shows("got 1 7", theirs.panes.first)
        await terminals.type(ask)
        await terminals.shows("got 2 7")
        await theirs.shows("got 2 7", theirs.panes.first)
        assert params_of(also, "pane.write") == []

    await terminals.type("echo rea''dy; cat -v")
    await terminals.shows("ready")
    before = len(typed())
    await page.reload()
    await page.get_by_role("button", name="Terminals").click()
    await terminals.shows("got 2 7", terminals.panes.first)
    await terminals.panes.first.locator("textarea").focus()
    await terminals.type("mar''k")
    await terminals.shows("mar''k")
    assert b"".join(typed()[before:]) == b"mar''k\r"
    await page.keyboard.press("Control+C")


async def test_two_pages_show_one_pane_and_one_types_at_a_time(
    served: ServedPage, terminals: Terminals
) -> None:
    await terminals.type("echo he''re")
    await terminals.shows("here")
    async with served.viewer() as other:
        await other.page.add_init_script(NO_WEBGL)
        await other.enter()
        theirs = Terminals(other)
        await other.page.get_by_role("button", name="Terminals").click()
        await theirs.shows("here", theirs.panes.first)
        await other.page.get_by_role("button", name="Take over").click()
        await expect(other.page.get_by_role("button", name="Take over")).to_have_count(0)
        await theirs.ready()
        await theirs.type("echo the''re")
        await theirs.shows("there")
        await terminals.shows("there")
        await expect(terminals.active.get_by_role("button", name="Take over")).to_be_visible()


async def test_a_shell_that_has_ended_can_be_started_again(terminals: Terminals) -> None:
    await terminals.type("echo be''fore; exit 3")
    await expect(terminals.active.get_by_text("The shell has ended with exit code 3.")).to_be_visible()
    await terminals.active.get_by_role("button", name="Start a shell here").click()
    await expect(terminals.active.get_by_text("The shell has ended")).to_have_count(0)
    await terminals.type("echo ag''ain")
    await terminals.shows("again")
    await terminals.shows("before")
    await terminals.button("Close this terminal").click()
    await expect(terminals.panes).to_have_count(0)
    await expect(terminals.page.get_by_text("No terminal is open.")).to_be_visible()


async def test_the_keyboard_reaches_everything_and_every_control_has_a_name(terminals: Terminals) -> None:
    page = terminals.page
    assert await find_nameless(page) == []
    assert await find_violations(page) == []
    await page.keyboard.press("Control+F6")
    await expect(page.locator(".panes-tab[aria-selected=true]")).to_be_focused()
    await page.keyboard.press("Control+`")
    await expect(page.locator(".panes-dock")).to_have_count(0)
    await page.keyboard.press("Control+`")
    await terminals.ready()
    await page.keyboard.press("Control+`")
    await expect(page.locator(".panes-dock")).to_have_count(0)


async def test_a_full_screen_program_looks_right_with_and_without_a_graphics_card(served: ServedPage) -> None:
    for pane in served.live.app.panes.all():
        await served.live.app.panes.close_pane(pane.pane_id)
    async with served.viewer() as viewer:
        await viewer.enter()
        await viewer.page.get_by_role("button", name="Terminals").click()
        (box,) = [viewer.page.locator(".panes-box")]
        await expect(box.locator(".xterm-screen")).to_be_visible()
        (pane,) = served.live.app.panes.all()
        kept = served.live.app.panes.get(pane.pane_id).kept
        await viewer.page.keyboard.type("vi -u NONE\n")
        await until(lambda: b"\x1b[?1049h" in kept.read(kept.start, 100_000), "the program's screen")
        before = await box.screenshot()
        await viewer.page.keyboard.type("ihello from vi\x1b")
        await viewer.page.keyboard.press("Control+l")  # it draws all of it again
        await until(lambda: b"hello from vi" in kept.read(kept.start, 100_000), "what was typed")
        async with asyncio.timeout(PATIENCE_S):
            while await box.screenshot() == before:  # WebGL draws no text that could be looked for
                await asyncio.sleep(0.05)
        await viewer.page.keyboard.type(":q!\n")


async def test_a_session_that_needs_input_in_a_pane_has_a_mark_on_its_dot(
    served: ServedPage, terminals: Terminals
) -> None:
    page = terminals.page
    (pane,) = served.live.app.panes.all()
    pty = served.live.app.panes.get(pane.pane_id).pty
    assert pty is not None
    claude = Claude(served, psutil.Process(pty.pid), "Grease the gate", served.setup.project)
    await go_home(terminals.viewer)
    dot = card_of(terminals.viewer, "Grease the gate").locator(".frame-dot")
    claude.say("busy")
    await expect(dot).to_have_text("Working")
    claude.say("waiting", "permission to run rm")
    await expect(dot).to_have_text("Waiting for you")
    await expect(dot.locator(".frame-dot-mark")).to_have_count(1)
    claude.say("idle")
    await expect(dot).to_have_count(0)  # at rest it is in the list
    await expect(page.locator(".frame-dot-mark")).to_have_count(0)
    claude.end()


async def test_a_session_of_others_is_resumed_in_a_terminal_and_a_click_leads_to_its_pane(
    served: ServedPage, terminals: Terminals
) -> None:
    page = terminals.page
    session = write_rollout(served, 77, "Paint the bikeshed", str(served.setup.project))
    await page.keyboard.press("Control+`")
    await page.get_by_role("button", name="Paint the bikeshed").click()
    await page.get_by_role("button", name="Details").click()
    await page.get_by_role("button", name="Resume in a terminal here").click()
    await expect(terminals.panes).to_have_count(2)
    panes = served.live.app.panes
    (_, second) = panes.all()
    shown = terminals.text(page.locator(f'.panes-pane[data-pane="{second.pane_id}"]'))
    # There is no such program here; the prompt that follows would end what is bound before it.
    await expect(shown).to_contain_text(re.compile(r"codex resume.*not found.*[$#]", re.DOTALL))
    served.live.app.session_watch.panes.start(second.pane_id, f"codex resume {session}", second.cwd)
    await page.keyboard.press("Control+`")
    await expect(page.locator(".panes-dock")).to_have_count(0)
    await go_home(terminals.viewer)
    await page.get_by_role("button", name="Paint the bikeshed").click()
    await expect(page.locator(f'.panes-active[data-pane="{second.pane_id}"]')).to_be_visible()
