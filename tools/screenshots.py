"""Takes the pictures of docs/images: the real page with the offline demo, in light and in dark."""

import asyncio
import base64
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Browser, Page, async_playwright, expect
from tools.system_programs import MISSING, QUIET, find_browser

from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.demo.home import prepare_home
from bascule.demo.plays import make_prompts
from bascule.demo.project import prepare_project
from bascule.demo.server import DemoModel
from bascule.host.clock import new_id
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Answer
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Prompt
from bascule.serve.serving import Serving, serving

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
DESK = (1280, 800)
PHONE = (390, 780)
SCHEMES = ("light", "dark")
QUALITY = 0.88
PATIENCE_MS = 30_000
# The browser itself makes the picture small: no other program is needed.
PACK = """async ([png, quality]) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


class DemoBrowser(NamedTuple):
    """A daemon with the demo behind it, and a browser before it."""

    app: App
    doors: Serving
    browser: Browser
    project: Path


class ShownSessions(NamedTuple):
    """The sessions that the pictures show."""

    edited: SessionId
    asking: SessionId


Scene = Callable[[Page, ShownSessions | None], Awaitable[None]]


async def show_welcome(page: Page, _story: ShownSessions | None) -> None:
    await expect(page.get_by_role("region", name="Demo: click to send")).to_be_visible()


async def show_session(page: Page, shown_sessions: ShownSessions | None) -> None:
    await show_edited(page, shown_sessions)


async def show_edited(page: Page, shown_sessions: ShownSessions | None) -> None:
    assert shown_sessions is not None
    await page.evaluate("(hash) => { location.hash = hash; }", f"#/s/{shown_sessions.edited}")
    await expect(page.get_by_role("log")).to_contain_text("The tests pass.")
    await expect(page.get_by_role("button", name="Open Latest Diff")).to_be_enabled()


async def show_review(page: Page, shown_sessions: ShownSessions | None) -> None:
    await show_edited(page, shown_sessions)
    await page.get_by_role("log").get_by_role("button", name="Review", exact=True).first.click()
    await expect(page.locator(".review-pane")).to_contain_text("initials")


async def show_ask(page: Page, shown_sessions: ShownSessions | None) -> None:
    assert shown_sessions is not None
    await page.evaluate("(hash) => { location.hash = hash; }", f"#/s/{shown_sessions.asking}")
    await expect(page.get_by_text("May I compile the module?").first).to_be_visible()


async def show_settings(page: Page, shown_sessions: ShownSessions | None) -> None:
    await show_edited(page, shown_sessions)
    await page.get_by_role("button", name="Settings", exact=True).click()
    await expect(page.get_by_text("bascule.codex.sandbox", exact=True)).to_be_visible()


BEFORE: dict[str, tuple[Scene, tuple[int, int]]] = {"welcome": (show_welcome, DESK)}
AFTER: dict[str, tuple[Scene, tuple[int, int]]] = {
    "session": (show_session, DESK),
    "review": (show_review, DESK),
    "ask": (show_ask, DESK),
    "settings": (show_settings, DESK),
    "phone": (show_ask, PHONE),
}


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    commands = Path(sys.executable).parent  # as after an install: pictures show no path to `bascule`
    os.environ["PATH"] = os.pathsep.join((str(commands), os.environ["PATH"]))
    with tempfile.TemporaryDirectory() as root:
        pictures = asyncio.run(take_all(Path(root).resolve()))
    for name, data in pictures.items():
        (IMAGES / name).write_bytes(data)
    total = sum(map(len, pictures.values()))
    print(f"{len(pictures)} pictures, {total // 1000} kB, in {IMAGES.relative_to(ROOT)}")
    return 0


async def take_all(home: Path) -> dict[str, bytes]:
    expect.set_options(timeout=PATIENCE_MS)
    async with open_demo_browser(home) as demo_browser:
        before = await take_scenes(demo_browser, BEFORE, None)
        return before | await take_scenes(demo_browser, AFTER, await play(demo_browser))


@asynccontextmanager
async def open_demo_browser(home: Path) -> AsyncIterator[DemoBrowser]:
    """Everything lies in a home of its own, so that a picture shows ~/wordkit and nobody's folders."""
    project = home / "wordkit"
    await asyncio.to_thread(prepare_project, project, os.environ)
    prompts = make_prompts()
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(DemoModel(word_delay_s=0.0))
        env = {**prepare_home(home / ".codex", base_url=model.base_url, token=model.token), "HOME": str(home)}
        folder = open_folder(home / ".bascule")
        app = await stack.enter_async_context(
            open_app(folder, command="screenshots", env=env, demo_prompts=prompts)
        )
        doors = await stack.enter_async_context(serving(app, folder))
        yield DemoBrowser(app, doors, await stack.enter_async_context(open_browser()), project)


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    program = find_browser()
    if program is None:
        raise SystemExit(MISSING)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=list(QUIET))
        try:
            yield browser
        finally:
            await browser.close()


# -- what is shown --


async def play(demo_browser: DemoBrowser) -> ShownSessions:
    """Three sessions: one that has answered, one that has changed files, one that asks."""
    session = await begin(demo_browser, "What is a bascule?", "Explain in a few words. demo:text")
    await settle(demo_browser, session)
    edited = await begin(demo_browser, "Add a function", "Add a function with a test. demo:edit")
    await settle(demo_browser, edited)
    say(demo_browser, edited, "Now run the tests. demo:command")
    await settle(demo_browser, edited)
    asking = await begin(demo_browser, "Compile the module", "Compile it, please. demo:approval")
    await until(demo_browser, asking, lambda: bool(demo_browser.app.roster.get(asking).asks))
    return ShownSessions(edited, asking)


async def begin(demo_browser: DemoBrowser, title: str, prompt: str) -> SessionId:
    session = await demo_browser.app.sessions.create(str(demo_browser.project))
    await demo_browser.app.sessions.rename(session, title)
    say(demo_browser, session, prompt)
    return session


def say(demo_browser: DemoBrowser, session: SessionId, text: str) -> None:
    demo_browser.app.prompts.submit(session, Prompt(key=PromptKey(new_id("k")), text=text))


async def settle(demo_browser: DemoBrowser, session: SessionId) -> None:
    """To the end of the run, with a yes to whatever is asked."""
    lane = demo_browser.app.roster.lane(session)
    while not lane.idle:
        await until(
            demo_browser, session, lambda: lane.idle or bool(demo_browser.app.roster.get(session).asks)
        )
        for ask in demo_browser.app.roster.get(session).asks:
            await demo_browser.app.asks.answer(session, Answer(ask=ask.id, choice=ask.choices[0].id))


async def until(demo_browser: DemoBrowser, session: SessionId, holds: Callable[[], bool]) -> None:
    watcher = demo_browser.app.hub.watch(session)
    try:
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not holds():
                await watcher.next()
    finally:
        watcher.close()


# -- pictures --


async def take_scenes(
    demo_browser: DemoBrowser,
    scenes: dict[str, tuple[Scene, tuple[int, int]]],
    shown_sessions: ShownSessions | None,
) -> dict[str, bytes]:
    return {
        f"{name}-{scheme}.webp": await take(demo_browser, scheme, scene, size, shown_sessions)
        for scheme in SCHEMES
        for name, (scene, size) in scenes.items()
    }


async def take(
    demo_browser: DemoBrowser,
    scheme: str,
    scene: Scene,
    size: tuple[int, int],
    shown_sessions: ShownSessions | None,
) -> bytes:
    width, height = size
    context = await demo_browser.browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == PHONE,
        is_mobile=size == PHONE,
        locale="en-GB",
    )
    page = await context.new_page()
    await page.goto(demo_browser.doors.new_link(str(demo_browser.project)))
    await scene(page, shown_sessions)
    await page.mouse.move(width - 1, height - 1)  # over nothing
    png = await picture(page)
    blank = await context.new_page()
    packed: str = await blank.evaluate(PACK, [base64.b64encode(png).decode(), QUALITY])
    await context.close()
    return base64.b64decode(packed)


async def picture(page: Page) -> bytes:
    """Once nothing moves any more: a list that makes its rows late has made them."""
    await page.evaluate("document.fonts.ready")
    before, now = b"", await page.screenshot(animations="disabled")
    while now != before:
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        before, now = now, await page.screenshot(animations="disabled")
    return now


if __name__ == "__main__":
    sys.exit(main())
