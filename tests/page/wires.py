"""A wire between a page and its daemon that a test can cut, and restore again."""

import json
from collections.abc import Callable

from playwright.async_api import Page, WebSocketRoute

Cuts = Callable[[str], bool]  # of a message that the page sends


class Wire:
    """Before the page is opened. What passes is counted; who dials while it is cut is not answered."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.sent: list[str] = []  # names of what the page asked for
        self.cuts_after: Cuts = lambda _method: False
        self.holds: Cuts = lambda _method: False  # until it is let go
        self._held: list[Callable[[], None]] = []
        self._page = page
        self._open: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    async def lay(self) -> "Wire":
        await self._page.route_web_socket("**/ws", self._dialled)
        return self

    async def cut(self) -> None:
        self.is_cut = True
        for page, server in self._open:
            await page.close()
            await server.close()
        self._open.clear()

    def restore(self) -> None:
        self.is_cut = False
        self.cuts_after = lambda _method: False

    def release(self) -> None:
        self.holds = lambda _method: False
        for send in self._held:
            send()
        self._held.clear()

    async def _dialled(self, page: WebSocketRoute) -> None:
        if self.is_cut:
            await page.close()
            return
        server = page.connect_to_server()
        self._open.append((page, server))

        def pass_on(message: str | bytes) -> None:
            method = str(json.loads(message).get("method", ""))
            self.sent.append(method)
            if self.holds(method):
                self._held.append(lambda: server.send(message))
                return
            server.send(message)
            if self.cuts_after(method):
                self.is_cut = True  # it has gone; its answer is never heard

        def answer(message: str | bytes) -> None:
            if not self.is_cut:
                page.send(message)

        page.on_message(pass_on)
        server.on_message(answer)
