"""Context that goes along: files, picked lines, a summary; with sizes, limits and what is left out."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.e2e.live_app import of_kind, said
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import UserBlock
from bascule.model.ids import SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

TIMETABLE = "one\nthe ferry leaves at nine\nthree\nfour\nfive\n"
NAMES = [f"f{number:02}.txt" for number in range(12)]


@pytest_asyncio.fixture(loop_scope="session")
async def scene(served: ServedPage) -> AsyncIterator[tuple[Viewer, SessionId]]:
    """A session whose workspace has a file of every sort."""
    project = served.setup.project.parent / "harbour"
    (project / "docs").mkdir(parents=True, exist_ok=True)
    (project / "docs" / "timetable.txt").write_text(TIMETABLE, encoding="utf-8")
    (project / "long.txt").write_text("ä" * 10_000, encoding="utf-8")
    (project / "my notes.txt").write_text(TIMETABLE, encoding="utf-8")
    (project / "image.bin").write_bytes(b"\x89PNG\0\0")
    for name in NAMES:
        (project / name).write_text(name, encoding="utf-8")
    session = await served.live.create(project)
    async with served.viewer() as viewer:
        await viewer.enter(session)
        yield viewer, session


def chips(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("list", name="Context").get_by_role("listitem")


def sent_along(viewer: Viewer) -> Locator:
    return viewer.block("user").get_by_role("list", name="Sent with the prompt").get_by_role("listitem")


def menu(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("button", name="Add context")


def row(viewer: Viewer, name: str) -> Locator:
    return viewer.page.get_by_role("dialog", name="Add context").get_by_role("button", name=name)


async def pick_file(viewer: Viewer, name: str) -> None:
    field = viewer.page.get_by_role("combobox", name="Find a file")
    await field.fill(name)
    found = viewer.page.get_by_role("listbox", name="Find a file").get_by_role("option", selected=True)
    await expect(found).to_have_text(name)
    await field.press("Enter")


async def open_timetable(viewer: Viewer) -> Locator:
    """The way a person finds it: from the menu through its folder."""
    await menu(viewer).click()
    await row(viewer, "Open a file…").click()
    await viewer.page.get_by_role("button", name="docs/", exact=True).click()
    await viewer.page.get_by_role("dialog").get_by_role("button", name="timetable.txt").click()
    dialog = viewer.page.get_by_role("dialog", name="docs/timetable.txt")
    await expect(dialog).to_contain_text("the ferry leaves at nine")
    return dialog


async def test_files_and_a_summary_go_along_with_their_sizes(scene: tuple[Viewer, SessionId]) -> None:
    viewer, session = scene
    await menu(viewer).click()
    await pick_file(viewer, "docs/timetable.txt")
    await pick_file(viewer, "long.txt")
    await pick_file(viewer, "image.bin")
    await row(viewer, "Workspace summary").click()
    await expect(row(viewer, "Workspace summary")).to_have_attribute("aria-pressed", "true")
    await expect(chips(viewer)).to_have_text(
        [
            re.compile(r"^Workspace summary\d+ bytes"),
            re.compile(r"^Filedocs/timetable\.txt45 bytes$"),
            re.compile(r"^Filelong\.txt12,000 bytes · the first 12000 of 20000 bytes$"),
            re.compile(r"^Fileimage\.binleft out · a binary file is not sent$"),
        ]
    )
    await viewer.page.keyboard.press("Escape")
    await viewer.page.get_by_role("button", name="Remove image.bin").click()
    await viewer.say("when does it leave?")
    await expect(chips(viewer)).to_have_count(0)
    await expect(sent_along(viewer)).to_have_text(
        ["workspace", "docs/timetable.txt", re.compile("long.txt the first 12000 of 20000 bytes")]
    )
    await expect(viewer.block("user")).not_to_contain_text("the ferry leaves")
    (block,) = of_kind(await viewer.live.until_idle(session), UserBlock)
    assert [part.kind for part in block.context] == ["workspace_summary", "file", "file"]


async def test_no_more_files_than_the_limit(scene: tuple[Viewer, SessionId]) -> None:
    viewer, session = scene
    await menu(viewer).click()
    limits = viewer.page.get_by_text(re.compile(r"\d+ of 10 files, up to 12,000 bytes each"))
    await expect(limits).to_contain_text("0 of 10 files")
    for name in NAMES[:10]:
        await pick_file(viewer, name)
    await expect(limits).to_contain_text("10 of 10 files")
    await expect(viewer.page.get_by_role("combobox", name="Find a file")).to_be_hidden()
    await expect(chips(viewer)).to_have_count(10)
    await viewer.page.keyboard.press("Escape")
    await expect(limits).to_be_hidden()
    await viewer.page.get_by_role("button", name="Remove f00.txt").click()
    await menu(viewer).click()
    await expect(viewer.page.get_by_role("combobox", name="Find a file")).to_be_visible()
    assert said(viewer.live.see(session)) == []


async def test_lines_are_picked_and_mentioned_as_path_and_range(scene: tuple[Viewer, SessionId]) -> None:
    viewer, session = scene
    await viewer.input.fill("what of @selection")
    await viewer.input.press("Enter")
    await expect(viewer.page.get_by_role("alert")).to_contain_text("@selection is empty.")
    await expect(viewer.input).to_have_value("what of @selection")  # refused before anything is sent
    await viewer.page.get_by_role("button", name="Dismiss").click()
    assert said(viewer.live.see(session)) == []

    dialog = await open_timetable(viewer)
    await dialog.get_by_role("button", name="Line 2", exact=True).click()
    await expect(dialog).to_contain_text("docs/timetable.txt#L2 selected")
    await dialog.get_by_role("button", name="Mention in prompt").click()
    await expect(dialog).to_be_hidden()
    await expect(viewer.input).to_have_value("what of @selection")
    await viewer.input.press("Enter")
    await expect(viewer.block("user")).to_contain_text("what of @docs/timetable.txt#L2")
    assert said(await viewer.live.until_idle(session)) == ["what of @docs/timetable.txt#L2"]

    dialog = await open_timetable(viewer)
    await dialog.get_by_role("button", name="Line 4", exact=True).click(modifiers=["Shift"])
    await expect(dialog).to_contain_text("docs/timetable.txt#L2-L4 selected")
    await dialog.get_by_role("button", name="Mention in prompt").click()
    await expect(viewer.input).to_have_value("@selection ")
    await viewer.input.press("Enter")
    assert said(await viewer.until_said(session, 2))[-1] == "@docs/timetable.txt#L2-L4"


async def test_the_open_file_and_the_picked_lines_go_along(scene: tuple[Viewer, SessionId]) -> None:
    viewer, session = scene
    await menu(viewer).click()
    await expect(row(viewer, "Active file")).to_be_disabled()
    await expect(row(viewer, "Selection")).to_be_disabled()
    await viewer.page.keyboard.press("Escape")
    dialog = await open_timetable(viewer)
    await viewer.page.keyboard.press("ArrowDown")  # by keys: the second line and the third
    await viewer.page.keyboard.press("ArrowDown")
    await viewer.page.keyboard.press("Shift+ArrowDown")
    await expect(dialog).to_contain_text("docs/timetable.txt#L2-L3 selected")
    await dialog.get_by_role("button", name="Close").click()

    await menu(viewer).click()
    await row(viewer, "Active file").click()
    await row(viewer, "Selection").click()
    await expect(chips(viewer)).to_have_text(
        ["Active filedocs/timetable.txt45 bytes", "Selectiondocs/timetable.txt#L2-L331 bytes"]
    )
    await viewer.page.keyboard.press("Escape")
    await viewer.say("and now?")
    await expect(sent_along(viewer)).to_have_text(["docs/timetable.txt", "docs/timetable.txt#L2-L3"])
    await viewer.live.until_idle(session)
    assert said(viewer.live.see(session)) == ["and now?"]


async def test_what_is_open_and_picked_outlives_another_tab_and_a_reload(
    served: ServedPage, scene: tuple[Viewer, SessionId]
) -> None:
    viewer, session = scene
    dialog = await open_timetable(viewer)
    await dialog.get_by_role("button", name="Line 2", exact=True).click()
    await dialog.get_by_role("button", name="Close").click()
    await menu(viewer).click()
    await row(viewer, "Active file").click()
    await row(viewer, "Selection").click()
    await viewer.page.keyboard.press("Escape")
    carried: list[str | re.Pattern[str]] = [
        "Active filedocs/timetable.txt45 bytes",
        re.compile("^Selectiondocs/timetable.txt#L2"),
    ]
    await expect(chips(viewer)).to_have_text(carried)

    elsewhere = await served.live.create()  # in another workspace
    await viewer.show(elsewhere)
    await menu(viewer).click()
    await expect(row(viewer, "Active file")).to_be_disabled()
    await expect(row(viewer, "Selection")).to_be_disabled()
    await viewer.show(session)
    await expect(chips(viewer)).to_have_text(carried)
    await viewer.page.reload()
    await expect(chips(viewer)).to_have_text(carried)
    await viewer.say("look at @selection.")
    assert said(await viewer.until_said(session)) == ["look at @docs/timetable.txt#L2."]
    await expect(sent_along(viewer)).to_have_text(["docs/timetable.txt", "docs/timetable.txt#L2"])


async def test_lines_of_a_file_with_a_blank_in_its_name_are_mentioned(
    scene: tuple[Viewer, SessionId],
) -> None:
    viewer, session = scene
    await menu(viewer).click()
    await row(viewer, "Open a file…").click()
    await viewer.page.get_by_role("button", name="my notes.txt").click()
    dialog = viewer.page.get_by_role("dialog", name="my notes.txt")
    await dialog.get_by_role("button", name="Line 3", exact=True).click()
    await dialog.get_by_role("button", name="Mention in prompt").click()
    await viewer.input.press("Enter")
    assert said(await viewer.until_said(session)) == ['@"my notes.txt"#L3']


async def test_an_at_in_pasted_code_is_no_mention(scene: tuple[Viewer, SessionId]) -> None:
    viewer, session = scene
    text = "why?\n```python\n@property\ndef size(self): ...\n```\nsee @long.txt"
    await viewer.say(text)
    assert said(await viewer.until_said(session)) == [text]


@pytest.mark.parametrize(
    ("mention", "why"),
    [
        ("@/etc/passwd", "@/etc/passwd is an absolute path."),
        ("@C:/secrets.txt", "@C:/secrets.txt is an absolute path."),
        ("@docs:timetable.txt", "@docs:timetable.txt"),
        ("@missing.txt", "@missing.txt"),
        ("@docs", "@docs"),
        ("@../outside.txt", "@../outside.txt"),
    ],
)
async def test_a_mention_that_names_no_file_here_is_refused_before_anything_is_sent(
    scene: tuple[Viewer, SessionId], mention: str, why: str
) -> None:
    viewer, session = scene
    text = f"look at {mention} please"
    await viewer.say(text)
    await expect(viewer.page.get_by_role("alert")).to_contain_text(why)
    await expect(viewer.input).to_have_value(text)  # given back, to be mended
    assert said(viewer.live.see(session)) == []


async def test_a_mention_is_sent_as_its_path(scene: tuple[Viewer, SessionId]) -> None:
    viewer, session = scene
    await viewer.say("see @docs/timetable.txt#L2 and @file:long.txt now")
    text = "see @docs/timetable.txt#L2 and @long.txt now"
    await expect(viewer.block("user")).to_contain_text(text)
    assert said(await viewer.live.until_idle(session)) == [text]
