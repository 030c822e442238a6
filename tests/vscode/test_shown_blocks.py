"""Blocks of agents in a real VS Code, in high contrast and without motion: links, hostile texts."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Frame, expect
from tests.page.filled_models import make_blocks
from tests.page.payloads import PAYLOADS
from tests.page.side_effects import FOREIGN, LYING
from tests.vscode.editor import BASCULE, Editor, Home, open_editor

from bascule.model.blocks import AssistantBlock
from bascule.model.changes import BlockPut, Change, TitleSet
from bascule.model.ids import BlockId

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]
LINKS = "[there](wordkit.py#L3C5), [outside](https://example.invalid/x) and wordkit.py, which is no link"
OPEN_ALL = """() => {
  const closed = document.querySelectorAll("details:not([open])");
  for (const one of closed) one.open = true;
  return closed.length;
}"""


class ToldDaemon:
    """In a process that isn't above the editor's: what an agent's process starts may not use Bascule."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.session = self.project = ""
        self._process: asyncio.subprocess.Process | None = None

    @property
    def program(self) -> Path:
        return self.root / "bascule"

    async def start(self) -> None:
        self.root.mkdir()
        self.program.write_text(f'#!/bin/sh\nBASCULE_HOME="{self.root}/data" exec "{BASCULE}" "$@"\n')
        self.program.chmod(0o755)
        pipe = asyncio.subprocess.PIPE
        argv = (sys.executable, "-m", "tests.vscode.told_daemon", str(self.root))
        self._process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe, cwd=ROOT)
        assert self._process.stdout is not None
        self.session, self.project = (await self._process.stdout.readline()).decode().split()

    async def tell(self, *changes: Change) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(changes) + b"\n")
        await self._process.stdin.drain()

    async def end(self) -> None:
        """First the program: extensions outlive their window, and would start another daemon."""
        self.program.unlink()
        if self._process and self._process.stdin:
            self._process.stdin.close()
            await self._process.wait()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(home: Home) -> AsyncIterator[ToldDaemon]:
    daemon = ToldDaemon(home.root / "told")
    await daemon.start()
    try:
        yield daemon
    finally:
        await daemon.end()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def editor(home: Home, server: str, browser: Browser, told: ToldDaemon) -> AsyncIterator[Editor]:
    home.configure(
        bascule__demo=False,
        bascule__command=str(told.program),
        security__workspace__trust__enabled=False,
        workbench__colorTheme="Default High Contrast Light",
        workbench__reduceMotion="on",
    )
    async with open_editor(browser, home, server) as editor:
        await editor.open(f"folder={told.project}")
        await editor.show_bascule()
        await editor.connected()
        await told.tell(TitleSet("of this test", "agent"))
        await editor.tree.get_by_role("treeitem", name="of this test").click()
        await expect(editor.chat.get_by_role("main")).to_have_attribute("data-session", told.session)
        yield editor


async def test_links_lead_to_a_line_of_a_file_or_ask_before_they_leave(
    editor: Editor, told: ToldDaemon
) -> None:
    block = AssistantBlock(id=BlockId("links"), text=LINKS, final=True, status="completed")
    await told.tell(BlockPut(block))
    links = editor.chat.locator(".blocks-assistant a")
    await expect(links).to_have_text(["there", "outside"])
    await links.first.click()
    await expect(editor.page.get_by_role("tab", name="wordkit.py")).to_be_visible()
    await expect(editor.page.get_by_role("button", name="Ln 3, Col 5")).to_be_visible()
    await links.last.click()
    await expect(editor.dialog).to_contain_text("https://example.invalid/x")  # the editor asks
    await editor.dialog.get_by_role("button", name="Cancel").click()
    await editor.close_editors()


async def test_the_theme_and_its_stillness_are_the_editors(editor: Editor) -> None:
    said = await page_of(editor).evaluate("({...document.documentElement.dataset})")
    wanted = {"theme": "light", "contrast": "", "still": ""}
    assert {name: said.get(name) for name in wanted} == wanted


async def test_blocks_of_every_kind_run_nothing_and_the_policy_has_nothing_to_refuse(
    editor: Editor, told: ToldDaemon
) -> None:
    await editor.page.set_viewport_size({"width": 1280, "height": 12_000})
    frame = page_of(editor)
    kinds = {block.id for block in make_blocks("")}
    made: set[str] = set()
    for number, (name, text) in enumerate(PAYLOADS.items()):
        blocks = make_blocks(f"seen{number}x\n\n{text}")
        await told.tell(*map(BlockPut, blocks))
        shown = editor.chat.locator("[data-block]:not([data-block=links])")
        await expect(shown.last, name).to_contain_text(f"seen{number}x")
        await expect(shown.filter(has_not_text=f"seen{number}x"), name).to_have_count(0)
        made |= set(await shown.evaluate_all("(all) => all.map((one) => one.dataset.block)"))
        while await frame.evaluate(OPEN_ALL):
            pass
        assert await frame.evaluate(FOREIGN) == [], name
        assert await frame.evaluate(LYING) == [], name
    assert made == kinds  # of texts that are very high, the log makes only the last ones
    assert await frame.evaluate("window.pwned") is None
    assert editor.refused == []


def page_of(editor: Editor) -> Frame:
    return next(frame for frame in editor.page.frames if "fake.html" in frame.url)
