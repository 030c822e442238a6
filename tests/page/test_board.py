"""Home lists every agent session on the machine: what others started, as their own files say."""

import json
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.core.watch.logs.rollouts import call, line, user
from tests.page.listener import find_nameless, find_violations, load_axe
from tests.page.side_effects import scroll_width
from tests.page.test_accessibility import OUT_OF_REACH
from tests.page.test_home import card_of, go_home, section
from tests.page.viewer import ServedPage, Viewer

from bascule.daemon.protocol.dispatch import HANDLERS
from bascule.host.watch.process_facts import read_process

pytestmark = pytest.mark.asyncio(loop_scope="session")

CODEX_ID = "01a1e2e1-9688-71e0-afcf-a846f82f27{number:02}"
# Only what runs without end: a transition of the page is over soon.
BLINKING = "document.getAnimations().filter((one) => one.effect.getTiming().iterations === Infinity).length"


class Claude:
    """A live process, and the registry file that a Claude would keep for it."""

    def __init__(
        self, served: ServedPage, process: subprocess.Popen[bytes] | psutil.Process, title: str, folder: Path
    ) -> None:
        home = served.setup.project.parent / ".claude" / "sessions"
        home.mkdir(parents=True, exist_ok=True)
        self.process = process
        self.id = f"claude-{process.pid}"
        self._path = home / f"{process.pid}.json"
        self.said = {
            "pid": process.pid,
            "sessionId": self.id,
            "procStart": read_process(process.pid).proc_start,
            "cwd": str(folder),
            "name": title,
        }

    def say(self, status: str, waiting_for: str = "") -> None:
        now = {**self.said, "status": status, "statusUpdatedAt": int(time.time() * 1000)}
        self._path.write_text(json.dumps({**now, "waitingFor": waiting_for} if waiting_for else now))

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._path.unlink(missing_ok=True)


@contextmanager
def running_claude(served: ServedPage, title: str, folder: Path | None = None) -> Iterator[Claude]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        claude = Claude(served, process, title, folder or served.setup.project)
        try:
            yield claude
        finally:
            claude.end()


def rollout_path(served: ServedPage, name: str) -> Path:
    return Path(served.setup.env["CODEX_HOME"]) / "sessions" / "2026/11/16" / f"rollout-{name}.jsonl"


def write_rollout(served: ServedPage, number: int, prompt: str, folder: str = "/srv/shop") -> str:
    """As `codex exec` leaves it: a session that is known by its file alone."""
    name = CODEX_ID.format(number=number)
    path = rollout_path(served, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = line("session_meta", {"id": name, "cwd": folder, "git": {"branch": "main"}, "source": "exec"})
    path.write_bytes(meta + b"\n" + user(prompt) + b"\n")
    return name


@pytest_asyncio.fixture(loop_scope="session")
async def at_home(served: ServedPage) -> AsyncIterator[Viewer]:
    async with served.viewer(permissions=["clipboard-read", "clipboard-write"]) as viewer:
        await viewer.enter()
        await go_home(viewer)
        yield viewer


def line_of(viewer: Viewer, title: str) -> Locator:
    return section(viewer, "Recent").get_by_role("button", name=re.compile(title))


async def colour_of(dot: Locator) -> str:
    red, green, blue = await dot.evaluate(
        "(one) => { const pen = new OffscreenCanvas(1, 1).getContext('2d');"
        "pen.fillStyle = getComputedStyle(one).color; pen.fillRect(0, 0, 1, 1);"
        "return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]; }"
    )
    if red > green > blue:
        return "orange"
    return "green" if green > max(red, blue) else "blue" if blue > max(red, green) else "none"


async def test_a_claude_of_somebody_else_appears_waits_rests_and_ends(
    served: ServedPage, at_home: Viewer
) -> None:
    with running_claude(served, "Tidy the attic") as claude:
        claude.say("busy")
        card = card_of(at_home, "Tidy the attic")
        await expect(section(at_home, "Working")).to_contain_text("Tidy the attic")
        await expect(card.locator(".frame-dot")).to_have_class(re.compile("frame-dot-working"))
        await expect(card.locator(".frame-dot")).to_have_text("Working")  # for screen readers
        hint = re.compile(r"^Claude's registry: busy, ")
        await expect(card.locator(".frame-dot")).to_have_attribute("title", hint)
        await expect(card).to_contain_text("Claude")
        await expect(card).to_contain_text(served.setup.project.name)
        await expect(card.locator("time")).to_have_text(re.compile(r"^0:0[1-9]$"))
        await at_home.page.wait_for_function(f"{BLINKING} > 0")
        assert await colour_of(card.locator(".frame-dot")) == "green"

        claude.say("waiting", "permission to run rm")
        await expect(section(at_home, "Waiting for you")).to_contain_text("Tidy the attic")
        await expect(card).to_contain_text("permission to run rm")
        await expect(section(at_home, "Working")).to_have_count(0)
        await at_home.page.wait_for_function(f"{BLINKING} === 0")
        assert await colour_of(card.locator(".frame-dot")) == "orange"

        claude.say("idle")
        await expect(section(at_home, "Waiting for you")).to_have_count(0)
        rest = line_of(at_home, "Tidy the attic")
        await expect(rest.locator(".frame-dot")).to_have_class(re.compile("frame-dot-completed"))
        assert await colour_of(rest.locator(".frame-dot")) == "blue"
        assert await at_home.page.evaluate(BLINKING) == 0

        claude.end()
        await expect(rest).to_contain_text("ended")
        await expect(rest.locator(".frame-dot svg > *")).to_have_count(0)


async def test_a_rollout_alone_gives_no_dot_but_the_last_activity(
    served: ServedPage, at_home: Viewer
) -> None:
    write_rollout(served, 1, "Rename the parser", "/srv/parsers")
    found = line_of(at_home, "Rename the parser")
    await expect(found).to_contain_text("last activity")
    await expect(found).to_contain_text("Codex")
    await expect(found).to_contain_text("main")
    await expect(found.locator(".frame-dot svg > *")).to_have_count(0)
    heading = section(at_home, "Recent").get_by_role("heading", name=re.compile("^parsers"), level=3)
    await expect(heading).to_be_visible()


async def test_the_filters_leave_only_what_matches(served: ServedPage, at_home: Viewer) -> None:
    write_rollout(served, 2, "Count the shelves", "/srv/library")
    with running_claude(served, "Sweep the yard") as claude:
        claude.say("busy")
        swept, counted = card_of(at_home, "Sweep the yard"), line_of(at_home, "Count the shelves")
        await expect(swept).to_be_visible()
        await expect(counted).to_be_visible()
        choose = at_home.page.get_by_role("combobox", name="Agent")
        await choose.select_option("Codex")
        await expect(swept).to_have_count(0)
        await expect(counted).to_be_visible()
        await choose.select_option("All agents")
        await at_home.page.get_by_role("combobox", name="Project").select_option("library")
        await expect(swept).to_have_count(0)
        await expect(counted).to_be_visible()
        await at_home.page.get_by_role("combobox", name="Status").select_option("Working")
        await expect(at_home.page.get_by_text("No session matches the filter.")).to_be_visible()
        await at_home.page.get_by_role("button", name="Clear filter").click()
        await expect(swept).to_be_visible()
        await at_home.page.get_by_role("combobox", name="Status").select_option("Working")
        await expect(swept).to_be_visible()
        await expect(counted).to_have_count(0)


async def open_details(viewer: Viewer) -> None:
    await viewer.page.get_by_role("button", name="Details").click()


async def test_a_click_shows_it_live_and_what_is_known_and_starts_nothing(
    served: ServedPage, at_home: Viewer
) -> None:
    name = write_rollout(served, 3, "Paint the fence", "/srv/garden")
    before = len(served.live.app.hub.heads())
    await line_of(at_home, "Paint the fence").click()
    await expect(at_home.log).to_contain_text("Paint the fence")
    unsaid = "You're watching a Codex session of another program. Nothing says whether it is running."
    await expect(at_home.page.get_by_text(unsaid)).to_be_visible()
    await expect(at_home.page.locator(".frame-status-what")).to_have_text("Status not known")
    await expect(at_home.page.get_by_role("textbox", name="Prompt")).to_have_count(0)
    await expect(at_home.page.get_by_role("button", name="Join")).to_have_count(0)
    await expect(at_home.page.get_by_role("heading", level=1)).to_have_text("Paint the fence")
    await expect(at_home.page.get_by_role("main", name="Paint the fence")).to_be_visible()
    await at_home.page.get_by_role("button", name="Settings", exact=True).click()
    await expect(at_home.page.get_by_role("searchbox", name="Search settings")).to_be_visible()
    await at_home.page.keyboard.press("Escape")
    with rollout_path(served, name).open("ab") as out:
        out.write(call("c1", cmd="touch fence.txt") + b"\n")
    await expect(at_home.log).to_contain_text("touch fence.txt")
    await at_home.page.reload()  # it has an address of its own
    await expect(at_home.log).to_contain_text("touch fence.txt")
    await open_details(at_home)
    panel = at_home.page.get_by_role("dialog", name="Paint the fence")
    for known in ("Codex", "/srv/garden", "main", name, "Codex's rollout file: open tool call", "Unknown"):
        await expect(panel).to_contain_text(known)
    await expect(panel.locator("code")).to_have_text(f"codex resume {name}")
    await panel.get_by_role("button", name="Copy").click()
    await expect(panel.get_by_text("Copied")).to_be_visible()
    assert await at_home.page.evaluate("navigator.clipboard.readText()") == f"codex resume {name}"
    await at_home.page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    await expect(at_home.page.get_by_role("button", name="Details")).to_be_focused()
    assert served.live.app.session_watch.views.count == 1
    await go_home(at_home)
    await expect(line_of(at_home, "Paint the fence")).to_be_visible()
    assert len(served.live.app.hub.heads()) == before


async def test_pinned_ones_come_first_and_hidden_ones_leave_also_after_a_reload(
    served: ServedPage, at_home: Viewer
) -> None:
    page = at_home.page
    write_rollout(served, 4, "Oil the hinge", "/srv/door")
    write_rollout(served, 5, "Plane the edge", "/srv/door")
    project = page.get_by_role("combobox", name="Project")
    await expect(line_of(at_home, "Plane the edge")).to_be_visible()
    await line_of(at_home, "Oil the hinge").click()
    await open_details(at_home)
    await page.get_by_role("button", name="Pin", exact=True).click()
    await expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    await page.keyboard.press("Escape")
    await go_home(at_home)
    await line_of(at_home, "Plane the edge").click()
    await open_details(at_home)
    await page.get_by_role("button", name="Hide", exact=True).click()
    await expect(line_of(at_home, "Plane the edge")).to_have_count(0)

    await page.reload()
    await go_home(at_home)
    await expect(section(at_home, "Recent").get_by_role("listitem").first).to_contain_text("Oil the hinge")
    await expect(line_of(at_home, "Oil the hinge")).to_contain_text("Pinned")
    await project.select_option("door")
    await expect(line_of(at_home, "Plane the edge")).to_have_count(0)
    await page.get_by_role("checkbox", name="Show hidden (1)").check()
    await line_of(at_home, "Plane the edge").click()
    await open_details(at_home)
    await page.get_by_role("button", name="Show again").click()
    await go_home(at_home)
    await expect(page.get_by_role("checkbox", name="Show hidden")).to_have_count(0)
    await expect(line_of(at_home, "Plane the edge")).to_be_visible()


async def test_a_hostile_title_and_id_are_only_text(served: ServedPage, at_home: Viewer) -> None:
    evil = "<img src=x onerror=window.pwned=1>\u202egnp.exe"
    with running_claude(served, evil) as claude:
        claude.said["sessionId"] = "x; touch /tmp/pwned #"
        claude.said["cwd"] = "/srv/\u202eevil<b>"
        claude.say("busy")
        shown = "<img src=x onerror=window.pwned=1><U+202E>gnp.exe"
        card = card_of(at_home, shown)
        await expect(card).to_be_visible()
        await card.get_by_role("button", name=shown).click()
        await open_details(at_home)
        panel = at_home.page.get_by_role("dialog")
        await expect(panel).to_contain_text("/srv/<U+202E>evil<b>")
        await expect(panel).to_contain_text("There is no safe command for this session.")
        await expect(panel.locator("code")).to_have_count(0)
        assert await at_home.page.evaluate("window.pwned") is None
        assert "\u202e" not in await at_home.page.evaluate("document.documentElement.outerHTML")
        await at_home.page.keyboard.press("Escape")


async def test_it_is_watched_only_while_home_is_shown(served: ServedPage, viewer: Viewer) -> None:
    def watching() -> bool:
        return any("board" in one.views for one in served.live.app.surfaces.all())

    session = await served.live.begin()
    await viewer.enter(session)
    await expect(viewer.log).to_be_visible()
    write_rollout(served, 6, "Wind the clock", "/srv/hall")
    await go_home(viewer)
    await expect(line_of(viewer, "Wind the clock")).to_be_visible()
    assert watching()
    await viewer.show(session)
    # answered in order: what was sent before it has been done
    await viewer.page.get_by_role("button", name="Settings").click()
    await expect(viewer.page.get_by_role("dialog").get_by_text("codex.command")).to_be_visible()
    assert not watching()


async def test_an_older_daemon_or_a_source_that_fails_is_a_quiet_note(
    served: ServedPage, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.delitem(HANDLERS, "board.watch")
        await viewer.enter()
        await go_home(viewer)
        await expect(viewer.page.get_by_text("the running daemon is an older version")).to_be_visible()
        await expect(viewer.page.locator(".frame-toast")).to_have_count(0)
    faults = served.live.app.session_watch.faults
    faults.report("/srv/\u202eodd/sessions", "Permission denied")
    await viewer.page.reload()
    await go_home(viewer)
    await viewer.page.get_by_text("Some sessions of other programs may be missing").click()
    await expect(viewer.page.get_by_text("/srv/<U+202E>odd/sessions: Permission denied")).to_be_visible()
    faults.forget("/srv/\u202eodd/sessions")


@pytest.mark.parametrize("width", [1280, 360])
async def test_it_breaks_no_rule_of_accessibility_and_nothing_is_out_of_reach(
    served: ServedPage, width: int
) -> None:
    write_rollout(served, 7, "Mind the " + "very " * 20 + "long gap", "/srv/" + "wide" * 20)
    async with served.viewer() as viewer:
        await load_axe(viewer.page)
        with running_claude(served, "Look around") as looks, running_claude(served, "Wait a bit") as waits:
            looks.say("busy")
            waits.say("waiting", "permission")
            await viewer.enter()
            await go_home(viewer)
            await viewer.page.set_viewport_size({"width": width, "height": 740})
            await expect(card_of(viewer, "Look around")).to_be_visible()
            await expect(card_of(viewer, "Wait a bit")).to_be_visible()
            assert await find_violations(viewer.page) == []
            assert await find_nameless(viewer.page) == []
            assert await scroll_width(viewer.page) == 0
            assert await viewer.page.evaluate(OUT_OF_REACH) == []
            await card_of(viewer, "Wait a bit").get_by_role("button", name="Wait a bit").click()
            await expect(viewer.page.get_by_text("You're watching. Claude is running")).to_be_visible()
            assert await find_violations(viewer.page) == []
            assert await scroll_width(viewer.page) == 0
            await open_details(viewer)
            await expect(viewer.page.get_by_role("dialog")).to_be_visible()
            assert await find_violations(viewer.page) == []
            assert await find_nameless(viewer.page) == []
            assert await scroll_width(viewer.page) == 0
            await viewer.page.keyboard.press("Escape")
