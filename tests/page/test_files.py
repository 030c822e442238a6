"""Files in the page: opened at a place, of any kind and size, searched, and lines picked for the prompt."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.e2e.live_app import said
from tests.page.pictures import make_png
from tests.page.session_blocks import put
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import AssistantBlock, ImageBlock
from bascule.model.ids import BlockId, SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = 60_000  # lines: more than are read at once
LINKS = {
    "place": "src/deep.py#L10C5",
    "long": "long.txt#L59000",
    "binary": "picture.bin",
    "missing": "no/such.txt",
    "folder": "src",
    "empty": "empty.txt",
    "windows": "windows.txt",
    "outside": "../secret.txt",
}
DEEP = "".join(f"value_{n} = {n}\n" for n in range(1, 41))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def project(served: ServedPage) -> AsyncIterator[Path]:
    folder = served.setup.project.parent / "shelf"
    (folder / "src" / "inner").mkdir(parents=True)
    (folder / "src" / "deep.py").write_text(DEEP, encoding="utf-8")
    (folder / "src" / "inner" / "needle.md").write_text("hay\nA Needle here\nhay\n", encoding="utf-8")
    (folder / "long.txt").write_text("".join(f"line {n}\n" for n in range(1, LONG + 1)), encoding="utf-8")
    (folder / "picture.bin").write_bytes(bytes(range(256)) * 8)
    (folder / "empty.txt").write_bytes(b"")
    (folder / "windows.txt").write_bytes(b"one\r\ntwo\r\n")
    (folder / "bridge.png").write_bytes(make_png(2_400, 40))
    (folder.parent / "secret.txt").write_text("not yours\n", encoding="utf-8")
    yield folder


async def begin(viewer: Viewer, project: Path) -> SessionId:
    """A session whose agent names files."""
    session = await viewer.create(project)
    text = "\n".join(f"- [{name}]({address})" for name, address in LINKS.items())
    put(viewer, session, AssistantBlock(id=BlockId("links"), text=text, final=True, status="completed"))
    return session


async def follow(viewer: Viewer, name: str, title: str) -> Locator:
    await viewer.block("assistant").get_by_role("link", name=name, exact=True).click()
    overlay = viewer.page.get_by_role("dialog", name=title, exact=True)
    await expect(overlay).to_be_visible()
    return overlay


def button(place: Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


def line(overlay: Locator, number: int) -> Locator:
    return overlay.locator(".files-line").filter(has=button(overlay.page.locator("body"), f"Line {number}"))


def picked(overlay: Locator) -> Locator:
    return overlay.locator(".files-picked .files-number")


async def test_a_link_opens_the_file_at_its_line_and_column(viewer: Viewer, project: Path) -> None:
    await begin(viewer, project)
    file = await follow(viewer, "place", "src/deep.py")
    await expect(picked(file)).to_have_text(["10"])
    await expect(file.locator(".files-picked")).to_be_in_viewport()
    await expect(file.locator(".files-picked .diff-word")).to_have_text("e")  # the fifth of value_10
    await expect(file).to_contain_text("40 lines")
    await expect(file.locator(".hljs-number").first).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(viewer.page.get_by_role("dialog")).to_have_count(0)
    await expect(viewer.block("assistant").get_by_role("link", name="place")).to_be_focused()


async def test_a_long_file_is_read_as_far_as_it_is_looked_at(viewer: Viewer, project: Path) -> None:
    await begin(viewer, project)
    file = await follow(viewer, "long", "long.txt")
    await expect(file.get_by_text("line 59000", exact=True)).to_be_in_viewport()
    assert await file.locator(".files-line").count() < 200
    await file.get_by_role("spinbutton", name="Go to line").fill("12345")
    await viewer.page.keyboard.press("Enter")
    await expect(file.get_by_text("line 12345", exact=True)).to_be_in_viewport()
    await file.get_by_role("spinbutton", name="Go to line").fill("999999")
    await viewer.page.keyboard.press("Enter")
    await expect(file.get_by_text(f"line {LONG}", exact=True)).to_be_in_viewport()
    await expect(file).to_contain_text(f"{LONG:,} lines")


@pytest.mark.parametrize(
    ("name", "title", "shown"),
    [
        ("binary", "picture.bin", "Binary file (2.0 kB), content not shown."),
        ("missing", "no/such.txt", re.compile("no/such.txt")),
        ("empty", "empty.txt", "This file is empty."),
        ("windows", "windows.txt", "2 lines · CRLF"),
        ("outside", "../secret.txt", re.compile("outside|leaves|workspace")),
    ],
)
async def test_what_is_no_plain_text_is_shown(
    viewer: Viewer, project: Path, name: str, title: str, shown: str | re.Pattern[str]
) -> None:
    await begin(viewer, project)
    file = await follow(viewer, name, title)
    await expect(file.locator(".files-note, .files-dim").filter(has_text=shown).first).to_be_visible()
    await expect(file).not_to_contain_text("not yours")


async def test_folders_are_walked_and_all_files_searched(viewer: Viewer, project: Path) -> None:
    await begin(viewer, project)
    overlay = await follow(viewer, "folder", "src")
    await expect(overlay.locator(".files-entry bdi")).to_have_text(["inner/", "deep.py"])
    await overlay.get_by_role("button", name="inner/").click()
    overlay = viewer.page.get_by_role("dialog")
    await expect(overlay.locator(".files-entry bdi")).to_have_text(["needle.md"])
    await overlay.get_by_role("searchbox", name="Search in all files").fill("needle")
    await viewer.page.keyboard.press("Enter")
    await expect(overlay).to_contain_text("1 found")
    await overlay.get_by_role("button", name="src/inner/needle.md:2").click()
    await expect(overlay.get_by_role("heading")).to_have_text("src/inner/needle.md")
    await expect(picked(overlay)).to_have_text(["2"])

    way = overlay.get_by_role("navigation", name="Path")
    await expect(way.get_by_role("button")).to_have_text(["workspace", "src", "inner", "needle.md"])
    await button(way, "workspace").click()
    await expect(overlay.locator(".files-entry bdi").first).to_have_text("src/")
    await overlay.get_by_role("searchbox", name="Search in all files").fill("nothing like this")
    await button(overlay, "Search").click()
    await expect(overlay).to_contain_text("No results.")


async def test_a_text_is_found_in_a_file(viewer: Viewer, project: Path) -> None:
    await begin(viewer, project)
    file = await follow(viewer, "long", "long.txt")
    await expect(file.get_by_text("line 59000", exact=True)).to_be_in_viewport()
    await viewer.page.keyboard.press("Control+f")
    await viewer.page.keyboard.type("LINE 4000")
    await expect(file).to_contain_text("1 of 11")  # and 40000 to 40009
    await expect(file.get_by_text("line 4000", exact=True)).to_be_in_viewport()
    await viewer.page.keyboard.press("Enter")
    await expect(file.get_by_text("line 40000", exact=True)).to_be_in_viewport()
    await viewer.page.keyboard.press("Shift+Enter")
    await viewer.page.keyboard.press("Shift+Enter")
    await expect(file).to_contain_text("11 of 11")
    await expect(file.get_by_text("line 40009", exact=True)).to_be_in_viewport()
    await viewer.page.keyboard.press("Escape")
    await expect(file.get_by_role("searchbox")).to_have_count(0)
    await expect(file).to_be_visible()
    await expect(file.get_by_role("region", name="Content of long.txt")).to_be_focused()


async def test_lines_are_picked_by_mouse_and_mean_selection_in_the_prompt(
    viewer: Viewer, project: Path
) -> None:
    session = await begin(viewer, project)
    file = await follow(viewer, "place", "src/deep.py")
    await button(file, "Line 8").click()
    await button(file, "Line 6").click(modifiers=["Shift"])
    await expect(picked(file)).to_have_text(["6", "7", "8"])
    await expect(file).to_contain_text("src/deep.py#L6-L8 selected")
    await button(file, "Mention in prompt").click()
    await expect(file).to_have_count(0)
    await expect(viewer.input).to_have_value("@selection ")
    await expect(viewer.input).to_be_focused()
    await viewer.page.keyboard.type("demo:search")
    await viewer.page.keyboard.press("Enter")
    await expect(viewer.block("user")).to_contain_text("src/deep.py#L6-L8")
    assert said(await viewer.live.until_idle(session)) == ["@src/deep.py#L6-L8 demo:search"]


async def test_lines_are_picked_by_keyboard(viewer: Viewer, project: Path) -> None:
    session = await begin(viewer, project)
    file = await follow(viewer, "windows", "windows.txt")
    await expect(file.get_by_role("region", name=re.compile("windows.txt"))).to_be_focused()
    await viewer.page.keyboard.press("ArrowDown")
    await expect(picked(file)).to_have_text(["1"])
    await viewer.page.keyboard.press("Shift+ArrowDown")
    await expect(picked(file)).to_have_text(["1", "2"])
    await viewer.page.keyboard.press("Shift+ArrowUp")
    await expect(file).to_contain_text("windows.txt#L1 selected")
    await viewer.page.keyboard.press("Escape")  # first the pick goes, then the viewer
    await expect(picked(file)).to_have_count(0)
    await viewer.page.keyboard.press("ArrowDown")
    await viewer.page.keyboard.press("ArrowDown")
    await expect(picked(file)).to_have_text(["2"])
    await button(file, "Mention in prompt").click()
    await viewer.page.keyboard.type("demo:search")
    await viewer.page.keyboard.press("Enter")
    await expect(viewer.block("user")).to_contain_text("windows.txt#L2")
    assert said(await viewer.live.until_idle(session)) == ["@windows.txt#L2 demo:search"]


async def test_a_whole_file_is_mentioned_by_its_path(viewer: Viewer, project: Path) -> None:
    await begin(viewer, project)
    file = await follow(viewer, "windows", "windows.txt")
    await button(file, "Mention this file").click()
    await expect(viewer.input).to_have_value("@windows.txt ")


async def test_a_picture_is_enlarged(viewer: Viewer, project: Path) -> None:
    session = await viewer.create(project)
    put(viewer, session, ImageBlock(id=BlockId("image"), path="bridge.png", caption="The bridge"))
    thumb = viewer.page.get_by_role("button", name="Enlarge The bridge")
    await thumb.click()
    overlay = viewer.page.get_by_role("dialog", name="The bridge")
    image = overlay.get_by_role("img", name="The bridge")
    await expect(image).to_have_js_property("naturalWidth", 2_400)
    fitted = await image.evaluate("(image) => image.getBoundingClientRect().width")
    assert fitted <= 1_280
    await button(overlay, "Actual size").click()
    await expect(button(overlay, "Fit to window")).to_have_attribute("aria-pressed", "true")
    assert await image.evaluate("(image) => image.getBoundingClientRect().width") == 2_400
    await viewer.page.keyboard.press("Escape")
    await expect(overlay).to_have_count(0)
    await expect(thumb).to_be_focused()
