"""Hostile texts in every field a person can see: they are shown, and nothing more."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import FilePayload, Locator, ViewportSize, expect
from tests.e2e.live_app import said
from tests.page.filled_models import (
    make_agent,
    make_asks,
    make_blocks,
    make_latest,
    make_queue,
)
from tests.page.payloads import AWAY, FILE_NAMES, LONG, MARKDOWN, MARKUP, PAYLOADS, SVG
from tests.page.side_effects import SideEffects, scroll_width
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import Block, FileChangeBlock, FileEdit, ImageBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockPut,
    DiffSet,
    DriverSet,
    ModelSet,
    QueueSet,
    RunPut,
    TitleSet,
)
from bascule.model.ids import BlockId, RunId
from bascule.model.protocol.sessions import AgentNotify
from bascule.model.protocol.setup import LinkedFile, LinkParams
from bascule.model.protocol.ui import UiToastNotify
from bascule.model.session import LatestDiff, Run, Session

pytestmark = pytest.mark.asyncio(loop_scope="session")

HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
ALL_SAY = """([word, ids]) => ids.every((id) =>
  document.querySelector(`[data-block="${CSS.escape(id)}"]`)?.textContent.includes(word))"""
TALL = ViewportSize(width=1280, height=30_000)  # so that the log makes all of its blocks


def shown(text: str) -> str:
    """As a name or a command stands on the page: what hides is spelt out, spaces as a line lays them."""
    return " ".join(HIDDEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", text).split())


def marked(at: int, text: str) -> str:
    """With a word before it by which it is found, whatever becomes of the rest."""
    return f"seen{at}x\n\n{text}"


@pytest_asyncio.fixture(loop_scope="session")
async def watched(served: ServedPage) -> AsyncIterator[tuple[Viewer, SideEffects]]:
    """A viewer whose page may neither leave nor call elsewhere; what it did is looked at in the end."""
    async with served.viewer() as viewer:
        trap = SideEffects(viewer)
        await viewer.enter()
        await trap.arm()
        yield viewer, trap
        assert await trap.look() == []


def at(viewer: Viewer, block: str) -> Locator:
    return viewer.page.locator(f'[data-block="{block}"]')


async def open_all_details(viewer: Viewer) -> None:
    """Again and again, because what is opened may hold more."""
    closed = viewer.page.locator("details:not([open]) > summary")
    while await closed.count():
        await closed.first.click()


async def test_blocks_of_every_kind_show_what_they_are_sent_and_run_none_of_it(
    watched: tuple[Viewer, SideEffects],
) -> None:
    viewer, trap = watched
    await viewer.page.set_viewport_size(TALL)
    session = await viewer.live.create()
    viewer.live.app.hub.apply(session, [BlockPut(block) for block in make_blocks("nothing yet")])
    await viewer.show(session)
    await expect(at(viewer, "session-panel")).to_be_visible()
    await open_all_details(viewer)
    for number, (name, text) in enumerate(PAYLOADS.items()):
        blocks = make_blocks(marked(number, text))
        viewer.live.app.hub.apply(session, [BlockPut(block) for block in blocks])
        ids = [block.id for block in blocks]
        await viewer.page.wait_for_function(ALL_SAY, arg=[f"seen{number}x", ids])
        assert await trap.look() == [], name
        assert await scroll_width(viewer.page) == 0, name


async def test_every_link_of_a_text_is_harmless_to_follow(watched: tuple[Viewer, SideEffects]) -> None:
    viewer, trap = watched
    await viewer.page.set_viewport_size(TALL)
    session = await viewer.live.create()
    texts = {name: text for name, text in MARKDOWN.items() if AWAY not in text}
    viewer.live.app.hub.apply(
        session, [BlockPut(make_blocks(text)[2]) for text in ("\n\n".join(texts.values()),)]
    )
    await viewer.show(session)
    links = viewer.log.locator("a")
    await expect(links.first).to_be_visible()
    for link in await links.all():
        await link.click()
        await expect(viewer.page.get_by_role("dialog")).to_be_visible()  # a file that is not there
        await viewer.page.keyboard.press("Escape")
        await expect(viewer.page.get_by_role("dialog")).to_have_count(0)
    assert await trap.look() == []


async def test_asks_show_every_character_of_what_is_asked_and_run_none_of_it(
    watched: tuple[Viewer, SideEffects],
) -> None:
    viewer, trap = watched
    session, other = await viewer.live.create(), await viewer.live.create()
    hub = viewer.live.app.hub
    await viewer.show(session)
    for number, (name, text) in enumerate(PAYLOADS.items()):
        asks = make_asks(marked(number, text))
        hub.apply(session, [AskOpened(ask) for ask in asks])
        card = viewer.page.get_by_role("article", name=f"seen{number}x")
        await expect(card, name).to_have_count(len(asks))
        await expect(card.get_by_role("button", name="No", exact=True)).to_have_count(len(asks))
        await card.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
        assert await trap.look() == [], name
        assert await scroll_width(viewer.page) == 0, name
        hub.apply(session, [AskClosed(ask.id, "withdrawn") for ask in asks])
        await expect(card).to_have_count(0)
    asks = make_asks(marked(0, PAYLOADS["image"]))
    hub.apply(other, [AskOpened(ask) for ask in asks])
    await viewer.page.get_by_role("button", name=f"Waiting in other sessions: {len(asks)}").click()
    await expect(viewer.page.get_by_role("article", name="seen0x")).to_have_count(len(asks))
    await expect(viewer.page.get_by_text(PAYLOADS["image"]).first).to_be_visible()
    assert await trap.look() == []
    hub.apply(other, [AskClosed(ask.id, "withdrawn") for ask in asks])


async def test_questions_with_names_of_every_object_are_answered_like_others(
    watched: tuple[Viewer, SideEffects],
) -> None:
    viewer, _ = watched
    session = await viewer.live.create()
    ask = make_asks("What is it?")[3]
    async with asyncio.TaskGroup() as group:
        given = group.create_task(viewer.live.app.asks.ask(session, ask.title, ask.subject, ask.choices))
        await viewer.show(session)
        card = viewer.page.get_by_role("article", name="What is it?")
        await card.get_by_role("textbox").nth(0).fill("a word")
        await card.get_by_role("textbox").nth(1).fill("7")
        while not given.done():  # what has just appeared takes no answer for a moment
            # It may go between two looks, and is not waited for then.
            await card.get_by_role("button", name="What is it?").evaluate_all(
                "all => all.forEach((one) => one.click())"
            )
    assert given.result().answers == {"__proto__": ("a word",), "constructor": ("7",)}


async def test_names_titles_and_the_state_of_a_session_stay_text(watched: tuple[Viewer, SideEffects]) -> None:
    viewer, trap = watched
    session = await viewer.live.create()
    app, page = viewer.live.app, viewer.page
    workspace = viewer.live.see(session).workspace
    await viewer.show(session)
    for number, (name, text) in enumerate(PAYLOADS.items()):
        said = marked(number, text)
        app.hub.apply(
            session,
            [
                TitleSet(f"seen{number}x {text}", "agent"),
                ModelSet(said, said),
                DriverSet(said),
                QueueSet(make_queue(said), held=True),
                RunPut(Run(id=RunId("constructor"), outcome="failed", why=said)),
            ],
        )
        app.surfaces.broadcast("agent.state", AgentNotify(state=make_agent(workspace, said)))
        app.surfaces.broadcast("ui.toast", UiToastNotify(level="error", message=said))
        for place in (
            page.get_by_role("heading", level=1),
            page.get_by_role("region", name="Session details"),
            page.get_by_role("option", selected=True),
            page.get_by_role("region", name="Queue"),
            page.get_by_role("alert"),
        ):
            await expect(place, name).to_contain_text(f"seen{number}x")
        assert await trap.look() == [], name
        assert await scroll_width(page) == 0, name


async def test_notices_and_diffs_stay_text(watched: tuple[Viewer, SideEffects]) -> None:
    viewer, trap = watched
    session = await viewer.live.begin()  # what its agent says of itself has come
    page = viewer.page
    texts = [marked(number, text) for number, text in enumerate(PAYLOADS.values())]
    state = make_agent(viewer.live.see(session).workspace, "")
    notices = [notice for text in texts for notice in make_agent("", text).notices]
    await viewer.show(session)
    viewer.live.app.surfaces.broadcast(
        "agent.state", AgentNotify(state=replace(state, notices=tuple(notices)))
    )
    latest = [make_latest(text) for text in texts]
    files = tuple(file for diff in latest for file in diff.files)
    unified = "".join(diff.unified for diff in latest)
    viewer.live.app.hub.apply(session, [DiffSet(LatestDiff(unified=unified, files=files))])
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name=f"Notices: {len(notices)}").click()
    await expect(dialog.get_by_role("listitem")).to_have_count(len(notices))
    for name in MARKUP:
        await expect(dialog.get_by_text(MARKUP[name]).first, name).to_be_attached()
    assert await trap.look() == []
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Open Latest Diff").click()
    await expect(viewer.pane.get_by_text("seen0x").first).to_be_visible()
    for key in ("PageDown",) * 20:
        await page.keyboard.press(key)
        assert await trap.look() == []
    assert await scroll_width(page) == 0


@pytest.fixture
def hostile_folder(served: ServedPage) -> Path:
    """A workspace whose own name, files and settings want to be more than text."""
    folder = served.setup.project.parent / FILE_NAMES[0].replace(".txt", "")
    folder.mkdir(exist_ok=True)
    for name in FILE_NAMES:
        (folder / name).write_text("\n".join((*MARKUP.values(), *MARKDOWN.values())), encoding="utf-8")
    (folder / "long.txt").write_text(f"{LONG}\nthe end\n", encoding="utf-8")
    (folder / "picture.svg").write_text(SVG, encoding="utf-8")
    (folder / ".bascule.toml").write_text(f"[codex]\nmodel = '{PAYLOADS['image']}'\n", encoding="utf-8")
    return folder


async def test_a_workspace_with_a_hostile_name_is_a_name(
    watched: tuple[Viewer, SideEffects], hostile_folder: Path
) -> None:
    viewer, trap = watched
    session = await viewer.live.create(hostile_folder)
    await viewer.show(session)
    details = viewer.page.get_by_role("region", name="Session details")
    for place in (viewer.page.get_by_role("heading", level=1), details):
        await expect(place).to_contain_text(hostile_folder.name)
    await viewer.page.get_by_role("searchbox", name="Search sessions").fill("<img")
    await expect(viewer.page.get_by_role("option", name=hostile_folder.name)).to_be_visible()
    assert f"{hostile_folder.name} – Bascule" in await viewer.page.title()
    assert await trap.look() == []


async def test_files_with_hostile_names_and_contents_are_found_and_read_as_text(
    watched: tuple[Viewer, SideEffects], hostile_folder: Path
) -> None:
    viewer, trap = watched
    session = await viewer.live.create(hostile_folder)
    await viewer.show(session)
    for name in (name for name in FILE_NAMES if not re.search(r"[\s:]", name)):  # what a mention can spell
        await viewer.input.press_sequentially(f"@{re.findall(r'[a-z_]{3,}', name)[0][:5]}")
        await expect(viewer.page.get_by_role("option", name=shown(f"@{name}")), name).to_be_visible()
        assert await trap.look() == [], name
        await viewer.input.fill("")
    viewer.live.app.hub.apply(session, [BlockPut(block) for block in edits_of(*FILE_NAMES, "long.txt")])
    await expect(at(viewer, "edits")).to_be_visible()
    await open_all_details(viewer)
    for name in (*FILE_NAMES, "long.txt"):
        await viewer.log.get_by_role("button", name=f"Open {shown(name)}", exact=True).click()
        dialog = viewer.page.get_by_role("dialog")
        await expect(
            dialog.get_by_text("lllll" if name == "long.txt" else "</script>").first, name
        ).to_be_visible()
        assert await trap.look() == [], name
        await viewer.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)


def edits_of(*paths: str) -> tuple[Block, ...]:
    files = tuple(FileEdit(path=path, change="update", additions=1) for path in paths)
    return (FileChangeBlock(id=BlockId("edits"), files=files, status="completed"),)


async def test_files_that_are_attached_keep_their_names_as_text(watched: tuple[Viewer, SideEffects]) -> None:
    viewer, trap = watched
    await viewer.show(await viewer.live.create())
    names = [name for name in FILE_NAMES if "/" not in name]
    async with viewer.page.expect_file_chooser() as choosing:
        await viewer.page.get_by_role("button", name="Attach").click()
    await (await choosing.value).set_files(
        [FilePayload(name=name, mimeType="text/plain", buffer=b"x") for name in names]
    )
    chips = viewer.page.get_by_role("list", name="Attached").get_by_role("listitem")
    await expect(chips).to_have_text([re.compile(re.escape(shown(name))) for name in names])
    assert await trap.look() == []
    assert await scroll_width(viewer.page) == 0


async def test_a_picture_that_is_a_program_is_only_a_picture(
    watched: tuple[Viewer, SideEffects], hostile_folder: Path
) -> None:
    """One inside of a message is drawn and no more; one that is a file is handed out, and runs nowhere."""
    viewer, trap = watched
    session = await viewer.live.create(hostile_folder)
    inline = ImageBlock(id=BlockId("inline"), url=f"data:image/svg+xml,{quote(SVG)}", caption="drawn")
    file = ImageBlock(id=BlockId("file"), path="picture.svg", caption="a file")
    viewer.live.app.hub.apply(session, [BlockPut(inline), BlockPut(file)])
    await viewer.show(session)
    await expect(at(viewer, "file")).to_contain_text("Can't show image a file.")
    await viewer.log.get_by_role("button", name="Enlarge drawn").click()
    await expect(viewer.page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    assert await trap.look() == []
    linked = await viewer.live.app.links.link(LinkParams(session_id=session, path="picture.svg"))
    assert isinstance(linked, LinkedFile)
    answer = await viewer.page.context.request.get(f"{trap.origin}/files/{linked.file_id}")
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert answer.headers["content-disposition"].startswith("attachment;")


async def test_settings_show_hostile_values_and_problems_as_text(
    watched: tuple[Viewer, SideEffects], hostile_folder: Path
) -> None:
    viewer, trap = watched
    session = await viewer.live.create(hostile_folder)
    await viewer.show(session)
    viewer.setup.folder.settings.write_text(
        viewer.setup.folder.settings.read_text("utf-8")
        + "[unknown]\n'<img src=x onerror=window.pwned=1>' = 1\n",
        encoding="utf-8",
    )
    await viewer.page.get_by_role("button", name="Settings").click()
    dialog = viewer.page.get_by_role("dialog")
    await expect(dialog.get_by_role("alert").filter(has_text="unknown")).to_be_visible()
    await dialog.get_by_role("searchbox").fill(PAYLOADS["placeholders"])
    await expect(dialog.get_by_text(PAYLOADS["placeholders"])).to_be_visible()
    assert await trap.look() == []


async def test_half_a_character_is_sent_as_the_sign_that_stands_for_it(
    watched: tuple[Viewer, SideEffects],
) -> None:
    """No JSON carries one; a prompt with it must neither be lost nor break the connection."""
    viewer, _ = watched
    session = await viewer.live.create()
    await viewer.show(session)
    await viewer.input.fill("half a character: ")
    await viewer.page.evaluate("document.execCommand('insertText', false, String.fromCharCode(0xd83d))")
    await viewer.input.press("Enter")
    seen = await viewer.live.until(session, told_half)
    assert said(seen) == ["half a character: \ufffd"]


def told_half(seen: Session) -> bool:
    return any("half" in text for text in said(seen))
