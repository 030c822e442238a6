"""What a page and its daemon say to each other."""

import json
from typing import Any

from playwright.async_api import Page, WebSocket

Message = dict[str, Any]


def overhear(page: Page) -> list[Message]:
    """Every message of the page's socket from now on, in order, both ways."""
    heard: list[Message] = []

    def take(frame: str | bytes) -> None:
        heard.append(json.loads(frame))

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", take)
        socket.on("framereceived", take)

    page.on("websocket", listen)
    return heard


def params_of(heard: list[Message], method: str) -> list[Message]:
    return [message["params"] for message in heard if message.get("method") == method]
