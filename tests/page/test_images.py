"""Images: from the workspace and from the session itself, enlarged; what lies elsewhere is never fetched."""

import base64
import struct
import zlib

import pytest
from playwright.async_api import Locator, expect
from tests.agents.codex.listening import Listener
from tests.page.session_blocks import at, begin_tall, hear, put
from tests.page.viewer import Viewer

from bascule.model.blocks import ImageBlock, UserBlock
from bascule.model.ids import BlockId

pytestmark = pytest.mark.asyncio(loop_scope="session")


def make_png(width: int, height: int) -> bytes:
    """Of one colour."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\x00" + b"\x20\x80\xc0" * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def data_url(width: int, height: int) -> str:
    return f"data:image/png;base64,{base64.b64encode(make_png(width, height)).decode()}"


async def size_of(picture: Locator) -> list[int]:
    """As it was drawn by whoever made it; [0, 0] until it has come."""
    await expect(picture).to_have_js_property("complete", value=True)
    size: list[int] = await picture.evaluate("(one) => [one.naturalWidth, one.naturalHeight]")
    return size


async def test_an_image_of_the_workspace_is_shown_and_enlarged(viewer: Viewer) -> None:
    (viewer.setup.project / "shots").mkdir(exist_ok=True)
    (viewer.setup.project / "shots" / "a b.png").write_bytes(make_png(900, 300))
    session = await begin_tall(viewer)
    wire = Listener()
    wire.item("imageView", id="seen", path=str(viewer.setup.project / "shots" / "a b.png"))
    hear(viewer, session, wire)
    put(viewer, session, ImageBlock(id=BlockId("i"), path="shots/a b.png", caption="The bridge, raised"))
    for block, name in (("seen", "a b.png"), ("i", "The bridge, raised")):
        thumb = at(viewer, block).get_by_role("button", name=f"Enlarge {name}")
        assert await size_of(thumb.locator("img")) == [900, 300]
        await thumb.click()
        dialog = viewer.page.get_by_role("dialog", name=name)
        large = dialog.get_by_role("img", name=name)
        assert await size_of(large) == [900, 300]
        await dialog.get_by_role("button", name="Actual size").click()
        box = await large.bounding_box()
        assert box
        assert round(box["width"]) == 900
        await viewer.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(thumb).to_be_focused()


async def test_images_of_a_prompt_and_made_ones_are_shown(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    put(
        viewer,
        session,
        UserBlock(id=BlockId("u"), text="what is this?", images=(data_url(20, 10), data_url(30, 30))),
        ImageBlock(id=BlockId("g"), url=data_url(64, 32), caption="made", status="completed"),
        ImageBlock(id=BlockId("w"), caption="being made", status="inProgress"),
    )
    pictures = at(viewer, "u").get_by_role("button", name="Enlarge")
    await expect(pictures).to_have_count(2)
    assert [await size_of(one.locator("img")) for one in await pictures.all()] == [[20, 10], [30, 30]]
    assert await size_of(at(viewer, "g").locator("img")) == [64, 32]
    await expect(at(viewer, "g")).to_contain_text("made")
    await expect(at(viewer, "w").get_by_role("img", name="In progress")).to_be_visible()
    await expect(at(viewer, "w").locator("img")).to_have_count(0)


async def test_what_lies_elsewhere_is_named_and_opened_by_the_host_only(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    asked: list[str] = []
    viewer.page.context.on("request", lambda request: asked.append(request.url))
    await viewer.page.context.route("https://example.com/**", lambda route: route.fulfill(body="outside"))
    put(
        viewer,
        session,
        ImageBlock(id=BlockId("far"), url="https://example.com/a.png", caption="far"),
        ImageBlock(id=BlockId("odd"), url="file:///etc/passwd", caption="odd"),
        ImageBlock(id=BlockId("gone"), path="no/such.png"),
        ImageBlock(id=BlockId("text"), path="README.md"),
    )
    far = at(viewer, "far").get_by_role("button", name="External image, not loaded")
    await expect(far).to_contain_text("https://example.com/a.png")
    await expect(at(viewer, "odd")).to_contain_text("file:///etc/passwd")
    await expect(at(viewer, "odd").get_by_role("button")).to_have_count(0)
    await expect(at(viewer, "gone")).to_contain_text("Can't show image such.png.")
    await expect(at(viewer, "text")).to_contain_text("Can't show image README.md.")
    assert not [url for url in asked if "example.com" in url]
    async with viewer.page.context.expect_page() as opened:
        await far.click()
    page = await opened.value
    await page.wait_for_url("https://example.com/a.png")
    await page.close()
