"""One editor for all tests: a server, a browser, a window and a daemon, which the extension starts itself."""

import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.page.viewer import open_browser
from tests.vscode.editor import Editor, Home, open_editor, open_server

from tools import code_server, vscode


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    assert code_server.main() == 0
    vscode.pack()
    home = Home(tmp_path_factory.mktemp("editor"))
    home.prepare()
    return home


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def server(home: Home) -> AsyncIterator[str]:
    async with open_server(home) as address:
        yield address


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        yield browser


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def editor(home: Home, server: str, browser: Browser) -> AsyncIterator[Editor]:
    """In a folder that nobody has trusted yet."""
    async with open_editor(browser, home, server) as editor:
        await editor.open()
        try:
            yield editor
        finally:
            if keep := os.environ.get("BASCULE_TEST_SHOT"):  # where the last thing to be seen is kept
                await editor.page.screenshot(path=keep)
