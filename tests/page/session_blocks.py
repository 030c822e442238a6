"""Blocks in a session at once, made by a test or by what Codex says on its wire."""

from contextlib import suppress

from playwright.async_api import Error, Locator, expect
from tests.agents.codex.listening import Listener
from tests.page.viewer import Viewer

from bascule.model.blocks import Block
from bascule.model.changes import BlockPut, Change
from bascule.model.ids import SessionId, ThreadId

TALL = {"width": 1280, "height": 6_000}  # so that the log makes all of its blocks


async def begin_tall(viewer: Viewer) -> SessionId:
    """A session of its own whose every block is made."""
    await viewer.page.set_viewport_size({**TALL})  # type: ignore[typeddict-item]
    return await viewer.begin()


def put(viewer: Viewer, session: SessionId, *blocks: Block) -> None:
    tell(viewer, session, *(BlockPut(block) for block in blocks))


def tell(viewer: Viewer, session: SessionId, *changes: Change) -> None:
    viewer.live.app.hub.apply(session, list(changes))


def hear(viewer: Viewer, session: SessionId, listener: Listener) -> None:
    """What came of the wire's last words, by the same translator that the daemon uses."""
    tell(viewer, session, *listener.changes.pop(ThreadId("t"), []))


def at(viewer: Viewer, block: str) -> Locator:
    return viewer.log.locator(f'[data-block="{block}"]')


def summary_of(block: Locator) -> Locator:
    return block.locator("summary").first


async def answer(ask: Locator, name: str) -> None:
    """As a person does who clicks once more: what has just appeared under the hand takes no answer yet."""
    button = ask.get_by_role("button", name=name, exact=True)
    await expect(button).to_be_visible()
    while buttons := await button.element_handles():
        with suppress(Error):  # it went while it was clicked
            await buttons[0].click(timeout=500)
