"""One server, browser and daemon for each file of tests; most share a window."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.page.viewer import open_browser
from tests.vscode.editor import Editor, Home, open_editor, open_server

from tools import code_server, vscode

OpenWindow = Callable[..., AbstractAsyncContextManager[Editor]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    assert code_server.main() == 0
    vscode.pack()
    home = Home(tmp_path_factory.mktemp("editor"))
    home.prepare()
    return home


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(home: Home) -> AsyncIterator[str]:
    async with open_server(home) as address:
        yield address


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_window(home: Home, server: str, browser: Browser) -> AsyncIterator[Editor]:
    async with open_editor(browser, home, server) as editor:
        await editor.open()
        await editor.show_bascule()
        await editor.trust()
        try:
            yield editor
        finally:
            if keep := os.environ.get("BASCULE_TEST_SHOT"):  # where the last thing to be seen is kept
                await editor.page.screenshot(path=keep)


@pytest_asyncio.fixture(loop_scope="session")
async def editor(shared_window: Editor) -> Editor:
    """In a folder that is trusted, with nothing open but Bascule's views: whatever test came before."""
    await shared_window.tidy()
    return shared_window


@pytest_asyncio.fixture(loop_scope="session")
async def window(home: Home, server: str, browser: Browser) -> AsyncIterator[OpenWindow]:
    """A window that knows nothing of others, in a folder that is trusted."""

    @asynccontextmanager
    async def open_window(query: str = "", **settings: object) -> AsyncIterator[Editor]:
        home.configure(**{"security__workspace__trust__enabled": False, **settings})
        async with open_editor(browser, home, server) as editor:
            await editor.open(query)
            await editor.known()
            yield editor

    yield open_window
    home.configure()
