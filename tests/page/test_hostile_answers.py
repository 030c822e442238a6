"""Hostile texts in what is asked for: models, settings, files, reviews, and every no. They stay texts."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.page.answers import FakeAnswers, make_answers
from tests.page.filled_models import make_attachments
from tests.page.payloads import PAYLOADS
from tests.page.session_blocks import at, put, summary_of
from tests.page.side_effects import SideEffects, scroll_width
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import AssistantBlock, CommandBlock, ImageBlock, UserBlock
from bascule.model.ids import BlockId, RunId, SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXTS = tuple(f"seen{number}x{text}" for number, text in enumerate(PAYLOADS.values()))
LAST = f"seen{len(TEXTS) - 1}x"


class Scene:
    """A viewer before a daemon whose every answer is hostile."""

    def __init__(self, viewer: Viewer, trap: SideEffects, fake_answers: FakeAnswers) -> None:
        self.viewer = viewer
        self.page = viewer.page
        self.trap = trap
        self.fake_answers = fake_answers

    async def begin(self) -> SessionId:
        """Things to click on stand in its log."""
        session = await self.viewer.live.create()
        await self.viewer.show(session)
        lines = "".join(f"line {number}\n" for number in range(5_000))
        put(
            self.viewer,
            session,
            UserBlock(id=BlockId("u"), text="changed", run=RunId("r")),
            AssistantBlock(id=BlockId("link"), text="[a file](a.py)", status="completed"),
            AssistantBlock(
                id=BlockId("a"), text="", status="completed", attachments=make_attachments("x")[:1]
            ),
            CommandBlock(id=BlockId("c"), command="seq", summary="seq", output=lines, status="completed"),
            ImageBlock(id=BlockId("i"), path="a.png", caption="a picture"),
        )
        await expect(at(self.viewer, "i")).to_be_visible()
        return session

    async def lie(self, *methods: str) -> None:
        answers = make_answers(TEXTS)
        self.fake_answers.answers = {method: answers[method] for method in methods}

    async def look(self, *methods: str) -> None:
        """Those were asked for, and what came stayed text."""
        assert set(methods) <= self.fake_answers.answered
        assert await self.trap.look() == []
        assert await scroll_width(self.page) == 0

    async def close(self) -> None:
        """Once more where the first key only empties a field."""
        if await self.viewer.pane.count():
            await self.viewer.pane.get_by_role("button", name="Close", exact=True).click()
        over = self.page.get_by_role("dialog").or_(self.viewer.pane)
        while await over.count():
            await self.page.keyboard.press("Escape")


@pytest_asyncio.fixture(loop_scope="session")
async def scene(served: ServedPage) -> AsyncIterator[Scene]:
    async with served.viewer() as viewer:
        fake_answers = await FakeAnswers(viewer.page).lay()
        fake_answers.answers = {"setup.inspect": make_answers(TEXTS)["setup.inspect"]}
        trap = SideEffects(viewer)
        await viewer.enter()
        await trap.arm()
        yield Scene(viewer, trap, fake_answers)
        assert await trap.look() == []


async def test_the_first_page_tells_what_is_found_as_text(scene: Scene) -> None:
    await expect(scene.page.get_by_role("heading", name="Welcome to Bascule")).to_be_visible()
    for region in ("Setup check", "Demo: click to send", "Recent folders"):
        await expect(scene.page.get_by_role("region", name=region)).to_contain_text(LAST)
    await scene.look("setup.inspect")


async def test_models_commands_and_files_to_choose_from_are_names(scene: Scene) -> None:
    await scene.begin()
    await scene.lie("model.list", "commands.list", "files.find", "context.preview")
    await scene.page.get_by_role("button", name=re.compile("^Model: ")).click()
    await expect(scene.page.get_by_role("dialog", name=re.compile("^Model: "))).to_contain_text(LAST)
    await scene.look("model.list")
    await scene.close()

    suggestions = scene.page.get_by_role("listbox", name="Suggestions")
    for typed, method in (("/", "commands.list"), ("@seen", "files.find")):
        await scene.viewer.input.fill("")
        await scene.viewer.input.press_sequentially(typed)
        await expect(suggestions).to_contain_text("seen0x")
        await scene.look(method)
    await scene.viewer.input.fill("")

    await scene.page.get_by_role("button", name="Add context").click()
    await scene.page.get_by_role("combobox", name="Find a file").fill("seen")
    found = scene.page.get_by_role("listbox", name="Find a file").get_by_role("option")
    await expect(found.filter(has_text="seen0x").first).to_be_visible()
    await found.filter(has_text="seen0x").first.click()
    await expect(scene.page.get_by_role("list", name="Context")).to_contain_text("seen0x")
    await scene.look("context.preview")


async def test_settings_are_keys_values_and_words(scene: Scene) -> None:
    await scene.begin()
    await scene.lie("settings.list", "commands.list")
    await scene.page.get_by_role("button", name="Settings", exact=True).click()
    dialog = scene.page.get_by_role("dialog")
    await expect(dialog).to_contain_text(LAST)
    await scene.look("settings.list")
    await scene.close()
    await scene.viewer.log.focus()
    await scene.page.keyboard.press("?")
    await expect(dialog).to_contain_text(LAST)
    await scene.look("commands.list")


async def test_folders_files_and_lines_that_are_found_are_text(scene: Scene) -> None:
    await scene.begin()
    await scene.lie("workspace.read", "workspace.list", "workspace.search", "artifact.read")
    await scene.viewer.log.get_by_role("link", name="a file").click()
    dialog = scene.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("seen0x")
    await scene.look("workspace.read")
    await dialog.get_by_role("navigation", name="Path").get_by_role("button").first.click()
    await expect(dialog).to_contain_text(LAST)
    await scene.look("workspace.list")
    await dialog.get_by_role("searchbox", name="Search in all files").fill("seen")
    await scene.page.keyboard.press("Enter")
    await expect(dialog).to_contain_text(f"{len(TEXTS)} found")
    await scene.look("workspace.search")
    await scene.close()

    await summary_of(at(scene.viewer, "c")).click()
    await at(scene.viewer, "c").get_by_role("button", name="Show all").click()
    await expect(at(scene.viewer, "c")).to_contain_text(LAST)
    await scene.look("artifact.read")


async def test_reviews_prepared_diffs_and_what_became_of_them_are_text(scene: Scene) -> None:
    await scene.begin()
    await scene.lie("edits.review", "edits.prepared", "edits.view", "edits.apply")
    dialog = scene.viewer.pane
    await at(scene.viewer, "u").hover()
    await at(scene.viewer, "u").get_by_role("button", name="Review changes").click()
    await read_all(scene, dialog)
    await scene.look("edits.review")
    await scene.close()

    await at(scene.viewer, "a").get_by_role("button", name="View Diff").click()
    await expect(dialog).to_contain_text("hunks selected")
    await read_all(scene, dialog)
    await scene.look("edits.prepared")
    await dialog.get_by_role("button", name="Resulting files").click()
    await expect(dialog.get_by_role("combobox", name="File")).to_contain_text(LAST)
    await scene.look("edits.view")
    await dialog.get_by_role("button", name=re.compile("^Apply")).click()
    await expect(dialog).to_contain_text(re.compile(f"Not written.*{LAST}", re.DOTALL))
    await scene.look("edits.apply")


async def read_all(scene: Scene, dialog: Locator) -> None:
    """From the first line to the last: only what is in sight is made."""
    lines = dialog.get_by_role("region", name="Line-by-line changes")
    await expect(lines).to_contain_text("seen0x")
    await lines.focus()
    while not await lines.get_by_text(LAST).count():
        await scene.page.keyboard.press("PageDown")
        assert await scene.trap.look() == []


async def test_every_no_is_words(scene: Scene) -> None:
    await scene.begin()
    whole = "\n".join(TEXTS)
    scene.fake_answers.answers = {}
    scene.fake_answers.refusals = dict.fromkeys(
        ("model.list", "settings.list", "edits.review", "workspace.read", "edits.prepared", "run.start"),
        whole,
    )
    dialog, alert = scene.page.get_by_role("dialog"), scene.page.get_by_role("alert")
    await scene.page.get_by_role("button", name=re.compile("^Model: ")).click()
    await expect(alert.filter(has_text=LAST)).to_have_count(1)
    await scene.close()
    await scene.page.get_by_role("button", name="Dismiss").click()
    await scene.viewer.say("hello")
    await expect(alert.filter(has_text=LAST)).to_have_count(1)
    await scene.page.get_by_role("button", name="Dismiss").click()

    await scene.page.get_by_role("button", name="Settings", exact=True).click()
    await expect(dialog).to_contain_text(LAST)
    await scene.look("settings.list")
    await scene.close()
    await scene.viewer.log.get_by_role("link", name="a file").click()
    await expect(dialog).to_contain_text(LAST)
    await scene.look("workspace.read")
    await scene.close()
    await at(scene.viewer, "u").hover()
    await at(scene.viewer, "u").get_by_role("button", name="Review changes").click()
    await expect(scene.viewer.pane).to_contain_text(LAST)
    await scene.look("edits.review")
    await scene.close()
    await at(scene.viewer, "a").get_by_role("button", name="View Diff").click()
    await expect(scene.viewer.pane).to_contain_text(LAST)
    await scene.look(*scene.fake_answers.refusals)
