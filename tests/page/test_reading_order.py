"""Letters written from right to left: what a yes is asked for is drawn in the order in which it counts."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.page.test_long_asks import command, make_ask, put
from tests.page.viewer import ServedPage, Viewer

from bascule.model.asks import FilesSubject
from bascule.model.blocks import FileEdit
from bascule.model.changes import AskClosed
from bascule.model.ids import AskId

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOURCE, TARGET = "\N{HEBREW LETTER ALEF}", "\N{HEBREW LETTER BET}"
TURNED = f"cat {SOURCE} > {TARGET}/1"  # drawn as `cat 1/B < A` where nobody minds
PLACES = """(root, chars) => {
  const found = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode())
    for (const [at, char] of [...walk.currentNode.data].entries()) {
      if (!chars.includes(char)) continue;
      const range = document.createRange();
      range.setStart(walk.currentNode, at);
      range.setEnd(walk.currentNode, at + 1);
      found.push([range.getBoundingClientRect().x, char]);
    }
  return found.sort((a, b) => a[0] - b[0]).map(([, char]) => char).join("");
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def viewer(served: ServedPage) -> AsyncIterator[Viewer]:
    async with served.viewer() as viewer:
        await viewer.page.clock.install()
        yield viewer


async def drawn(place: Locator, chars: str) -> str:
    """These characters as they stand beside each other, from left to right."""
    order: str = await place.evaluate(PLACES, chars)
    return order


async def test_nothing_that_a_yes_rests_on_changes_places(viewer: Viewer) -> None:
    session = await viewer.begin()
    chars = f"{SOURCE}>{TARGET}1"
    card = await put(viewer, session, make_ask("a", command(TURNED), rule=f"allow: {TURNED}"))
    assert await drawn(card.locator(".asks-command"), chars) == chars
    assert await drawn(card.locator(".asks-rule").first, chars) == chars
    viewer.live.app.hub.apply(session, [AskClosed(AskId("a"), "withdrawn")])
    path = f"{SOURCE}/{TARGET}/1"
    edit = FileEdit(path=path, change="add", diff=f"@@ -0,0 +1,1 @@\n+{TURNED}\n", additions=1)
    card = await put(viewer, session, make_ask("b", FilesSubject(files=(edit,))))
    await card.locator(".diff-added code").wait_for()
    assert await drawn(card.locator(".asks-files code"), f"{SOURCE}{TARGET}1") == f"{SOURCE}{TARGET}1"
    assert await drawn(card.locator(".diff-added code"), chars) == chars
    viewer.live.app.hub.apply(session, [AskClosed(AskId("b"), "withdrawn")])
    other = FileEdit(path="b.py", change="add", diff="@@ -0,0 +1,1 @@\n+b\n", additions=1)
    card = await put(viewer, session, make_ask("c", FilesSubject(files=(edit, other))))
    await expect(card.locator(".diff-name bdi")).to_have_text([path, "b.py"])
    await expect(card.locator(".asks-files")).to_have_count(0)  # each is named once, by its diff
    name = card.locator(".diff-name bdi").first
    assert await drawn(name, f"{SOURCE}{TARGET}1") == f"{SOURCE}{TARGET}1"
