"""Images and files with a prompt: pasted, dropped or picked, seen before they go and after."""

import base64
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.live_app import of_kind, said
from tests.page.pictures import make_png
from tests.page.viewer import ServedPage, Viewer
from tests.page.wires import Wire

from bascule.model.blocks import UserBlock

pytestmark = pytest.mark.asyncio(loop_scope="session")

WIDTH, HEIGHT = 640, 360
RED = make_png(WIDTH, HEIGHT)
MIB = 1024 * 1024


def chips(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("list", name="Attached files").get_by_role("listitem")


async def pick(viewer: Viewer, *files: Path) -> None:
    async with viewer.page.expect_file_chooser() as choosing:
        await viewer.page.get_by_role("button", name="Attach").click()
    await (await choosing.value).set_files(list(files))


async def paste_png(viewer: Viewer) -> None:
    """By the clipboard itself, as a screenshot comes."""
    await viewer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await viewer.page.evaluate(
        """async (data) => {
            const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
            const blob = new Blob([bytes], { type: "image/png" });
            await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        }""",
        base64.b64encode(RED).decode(),
    )
    await viewer.input.press("ControlOrMeta+v")


async def drop(viewer: Viewer, *files: Path) -> None:
    """As a file manager drops them, onto the log."""
    hand = await viewer.page.context.new_cdp_session(viewer.page)
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver"):
        await hand.send("Input.dispatchDragEvent", {"type": kind, "x": 700, "y": 300, "data": data})
    await expect(viewer.page.get_by_text("Drop files to attach them")).to_be_visible()
    await hand.send("Input.dispatchDragEvent", {"type": "drop", "x": 700, "y": 300, "data": data})
    await expect(viewer.page.get_by_text("Drop files to attach them")).to_be_hidden()


async def natural_size(image: Locator) -> tuple[int, int]:
    await expect(image).to_be_visible()
    await image.evaluate("(image) => image.decode()")
    width, height = await image.evaluate("(image) => [image.naturalWidth, image.naturalHeight]")
    return width, height


@pytest.mark.parametrize("way", ["pasted", "dropped", "picked"])
async def test_an_image_is_seen_sent_shown_and_enlarged(viewer: Viewer, tmp_path: Path, way: str) -> None:
    session = await viewer.create()
    red = tmp_path / "red.png"
    red.write_bytes(RED)
    if way == "pasted":
        await viewer.input.click()
        await paste_png(viewer)
    elif way == "dropped":
        await drop(viewer, red)
    else:
        await pick(viewer, red)
    chip = chips(viewer)
    await expect(chip).to_have_count(1)
    assert await natural_size(chip.locator("img")) == (WIDTH, HEIGHT)

    await viewer.say("what is this?")
    await expect(chips(viewer)).to_have_count(0)
    await expect(viewer.block("user")).to_contain_text("what is this?")
    await viewer.block("user").get_by_role("button", name="Enlarge").click()
    dialog = viewer.page.get_by_role("dialog")
    assert await natural_size(dialog.get_by_role("img")) == (WIDTH, HEIGHT)
    await viewer.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    (block,) = of_kind(await viewer.live.until_idle(session), UserBlock)
    assert (block.text, len(block.images)) == ("what is this?", 1)


async def test_an_image_alone_is_a_prompt(viewer: Viewer, tmp_path: Path) -> None:
    session = await viewer.create()
    send = viewer.page.get_by_role("button", name="Send", exact=True)
    await expect(send).to_be_disabled()
    (tmp_path / "red.png").write_bytes(RED)
    await pick(viewer, tmp_path / "red.png")
    await send.click()
    await expect(viewer.block("user").get_by_role("button", name="Enlarge")).to_be_visible()
    (block,) = of_kind(await viewer.live.until_idle(session), UserBlock)
    assert (block.text, len(block.images)) == ("", 1)


async def test_any_other_file_is_named_to_the_agent_by_its_path(viewer: Viewer, tmp_path: Path) -> None:
    session = await viewer.create()
    notes = tmp_path / "notes.txt"
    notes.write_text("the ferry leaves at nine\n", encoding="utf-8")
    await pick(viewer, notes)
    await expect(chips(viewer)).to_have_text(["notes.txt"])
    await viewer.say("read it")
    (prompt,) = said(await viewer.until_said(session))
    words, named = prompt.split("\n")
    assert words == "read it"
    kept = Path(named.removeprefix("Attached file: "))
    assert kept.read_bytes() == notes.read_bytes()
    sent = viewer.block("user").get_by_role("list", name="Attached files")
    await expect(sent.get_by_role("listitem")).to_have_text(["notes.txt"])  # a person knows it by its name
    await expect(viewer.block("user")).not_to_contain_text(str(kept.parent))


async def test_chips_are_looked_at_taken_off_and_kept_over_a_reload(viewer: Viewer, tmp_path: Path) -> None:
    session = await viewer.create()
    files = [tmp_path / "one.png", tmp_path / "two.txt", tmp_path / "three.png"]
    for file in files:
        file.write_bytes(RED if file.suffix == ".png" else b"words\n")
    await drop(viewer, *files)
    await expect(chips(viewer)).to_have_text(["one.png", "two.txt", "three.png"])
    await viewer.page.get_by_role("button", name="Show one.png").click()
    dialog = viewer.page.get_by_role("dialog", name="one.png")
    assert await natural_size(dialog.get_by_role("img")) == (WIDTH, HEIGHT)
    await viewer.page.keyboard.press("Escape")

    await viewer.page.get_by_role("button", name="Remove two.txt").click()
    await viewer.page.reload()
    await expect(chips(viewer)).to_have_text(["one.png", "three.png"])
    await viewer.say("/help")  # a command takes no files: they stay for the prompt
    await expect(viewer.block("system")).to_contain_text("/help")
    await expect(chips(viewer)).to_have_count(2)
    await viewer.say("both")
    (block,) = of_kind(await viewer.until_said(session), UserBlock)
    assert len(block.images) == 2


async def test_what_is_too_large_is_refused_by_name(viewer: Viewer, tmp_path: Path) -> None:
    await viewer.create()
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(20 * MIB + 1)
    (tmp_path / "small.txt").write_text("words\n", encoding="utf-8")
    await pick(viewer, large, tmp_path / "small.txt")
    alert = viewer.page.get_by_role("alert")
    await expect(alert).to_contain_text("large.bin wasn't attached: the limit is 20 MiB.")
    await expect(chips(viewer)).to_have_text(["small.txt"])


async def test_text_that_is_pasted_stays_text(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await viewer.page.evaluate("navigator.clipboard.writeText('plain words')")
    await viewer.input.press("ControlOrMeta+v")
    await expect(viewer.input).to_have_value("plain words")
    await expect(chips(viewer)).to_have_count(0)


async def test_files_hang_on_the_session_they_were_given_to(served: ServedPage, tmp_path: Path) -> None:
    other = await served.live.create()
    (tmp_path / "mine.txt").write_text("words\n", encoding="utf-8")
    async with served.viewer() as viewer:
        mine = await viewer.create()
        await pick(viewer, tmp_path / "mine.txt")
        await expect(chips(viewer)).to_have_text(["mine.txt"])
        await viewer.show(other)
        await expect(chips(viewer)).to_have_count(0)
        await viewer.show(mine)
        await expect(chips(viewer)).to_have_text(["mine.txt"])


async def test_a_file_on_its_way_is_waited_for_whatever_tab_was_shown_meanwhile(
    served: ServedPage, tmp_path: Path
) -> None:
    other = await served.live.create()
    (tmp_path / "mine.txt").write_text("words\n", encoding="utf-8")
    async with served.viewer() as viewer:
        wire = await Wire(viewer.page).lay()
        mine = await viewer.create()
        wire.holds = lambda method: method == "files.attach"
        await pick(viewer, tmp_path / "mine.txt")
        await expect(chips(viewer)).to_have_text(["mine.txtattaching…"])
        await viewer.show(other)
        await viewer.show(mine)
        await expect(chips(viewer)).to_have_text(["mine.txtattaching…"])
        await viewer.say("read it")
        await expect(viewer.page.get_by_role("alert")).to_contain_text("files are still being attached.")
        await expect(viewer.input).to_have_value("read it")
        wire.release()
        await expect(chips(viewer)).to_have_text(["mine.txt"])
        await viewer.input.press("Enter")
        (prompt,) = said(await viewer.until_said(mine))
        assert prompt.startswith("read it\nAttached file: ")


async def test_of_a_hundred_files_as_many_are_taken_as_go_at_once(viewer: Viewer, tmp_path: Path) -> None:
    await viewer.create()
    files = [tmp_path / f"a {number:03}.bin" for number in range(100)]
    for file in files:
        file.write_bytes(b"\0" * 100)
    await drop(viewer, *files)
    await expect(
        viewer.page.get_by_text("You can attach 20 files at a time. The rest were skipped.")
    ).to_be_visible()
    await expect(chips(viewer)).to_have_text([file.name for file in files[:20]])
    empty = tmp_path / "empty.txt"
    empty.touch()
    await drop(viewer, tmp_path, empty)  # a folder, and nothing at all
    for why in ("wasn't attached: it can't be read.", "empty.txt is empty."):
        await expect(viewer.page.get_by_role("alert").filter(has_text=why)).to_be_visible()
    await expect(chips(viewer)).to_have_count(20)
